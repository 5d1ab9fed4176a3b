// Files that init and report write: whole or not at all, whatever calls have been killed before.
#include "daemon/commands/new_file.hpp"

#include <filesystem>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/temporary_folder.hpp"

namespace surveybridge::daemon {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class NewFiles : public testing::Test {
 protected:
  std::string at(const std::string& name) { return folder_.path() + "/" + name; }
  std::string text_of(const std::string& name) { return support::read_file(at(name)); }
  mode_t mode_of(const std::string& name) {
    struct stat status {};
    return ::stat(at(name).c_str(), &status) == 0 ? status.st_mode & 07777u : 0;
  }
  std::ptrdiff_t files() {
    return std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator());
  }
  support::TemporaryFolder folder_;
};

TEST_F(NewFiles, HaveTheirModeAndLeaveNoDraft) {
  EXPECT_EQ(write_new_file({at("a"), "text\n", 0600}, false), std::nullopt);
  EXPECT_EQ(text_of("a"), "text\n");
  EXPECT_EQ(mode_of("a"), 0600u);
  EXPECT_EQ(files(), 1);
}

TEST_F(NewFiles, ReplaceNothingUnlessTold) {
  folder_.write("a", "old");
  EXPECT_THAT(fault_of_new_file(at("a"), false).value_or(""), HasSubstr("--force"));
  EXPECT_THAT(write_new_file({at("a"), "new", 0600}, false).value_or(""), HasSubstr("--force"));
  EXPECT_EQ(text_of("a"), "old");
  EXPECT_EQ(fault_of_new_file(at("a"), true), std::nullopt);
  EXPECT_EQ(write_new_file({at("a"), "new", 0640}, true), std::nullopt);
  EXPECT_EQ(text_of("a"), "new");
  EXPECT_EQ(files(), 1);
}

TEST_F(NewFiles, NeedAFolder) {
  EXPECT_THAT(fault_of_new_file(at("no/a"), false).value_or(""),
              HasSubstr("/no/a: cannot be written: No such file or directory"));
  EXPECT_THAT(write_new_file({at("no/a"), "", 0600}, true).value_or(""), HasSubstr("cannot be"));
  EXPECT_THAT(fault_of_new_file(folder_.path(), true).value_or(""), HasSubstr("is a folder"));
}

// Whatever a call was killed at: it leaves the draft alone, or beside the file as its second name.
TEST_F(NewFiles, TakeThePlaceOfADraftThatWasLeft) {
  folder_.write("a.new", "ha");
  EXPECT_EQ(write_new_file({at("a"), "whole", 0600}, false), std::nullopt);
  EXPECT_EQ(text_of("a"), "whole");
  EXPECT_EQ(mode_of("a"), 0600u);
  EXPECT_EQ(files(), 1);
  fs::create_hard_link(at("a"), at("a.new"));
  EXPECT_THAT(write_new_file({at("a"), "other", 0600}, false).value_or(""), HasSubstr("--force"));
  EXPECT_EQ(text_of("a"), "whole");
  EXPECT_EQ(files(), 1);
}

TEST_F(NewFiles, FollowNoLinkThatHasTheNameOfADraft) {
  folder_.write("other", "stays");
  fs::create_symlink(at("other"), at("a.new"));
  EXPECT_EQ(write_new_file({at("a"), "whole", 0600}, false), std::nullopt);
  EXPECT_EQ(text_of("other"), "stays");
  EXPECT_FALSE(fs::is_symlink(at("a")));
}

TEST_F(NewFiles, LeaveTheDraftOfACallThatStillWrites) {
  folder_.write("a.new", "ha");
  const int writer = ::open(folder_.path().c_str(), O_RDONLY | O_DIRECTORY);
  ASSERT_EQ(::flock(writer, LOCK_EX), 0);
  EXPECT_THAT(write_new_file({at("a"), "whole", 0600}, true).value_or(""), HasSubstr("/a: cannot"));
  EXPECT_EQ(text_of("a.new"), "ha");
  ::close(writer);
  EXPECT_EQ(write_new_file({at("a"), "whole", 0600}, true), std::nullopt);
}

}  // namespace
}  // namespace surveybridge::daemon
