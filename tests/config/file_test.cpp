// Root and the account of the service read nothing that others may have written. That the service
// does not is shown by `scripts/test --package`, where that account exists.
#include "config/file.hpp"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <unistd.h>

#include "tests/support/temporary_folder.hpp"

namespace surveybridge::config {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class ReadFile : public testing::Test {
 protected:
  ReadFile() {
    fs::create_directories(folder_);
    std::ofstream(file_) << "text";
  }
  // What the reader says about this name, and what it must contain where root asks; others are told
  // nothing.
  static void expect_fault(const std::string& name, const std::string& text) {
    EXPECT_THAT(fault(name), HasSubstr(::geteuid() == 0 ? text : ""));
    EXPECT_EQ(fault(name).empty(), ::geteuid() != 0);
  }
  static std::string fault(const std::string& name) {
    const auto read = read_file(name, 100);
    const auto* refused = std::get_if<FileRefused>(&read);
    return refused == nullptr ? "" : refused->why;
  }
  static void give(const std::string& path) {
    ASSERT_TRUE(::geteuid() != 0 || ::lchown(path.c_str(), 12345, 0) == 0);
  }

  support::TemporaryFolder outer_;
  const std::string folder_ = outer_.path() + "/upper/lower", file_ = folder_ + "/a.toml";
};

TEST_F(ReadFile, RefusesAFileThatOthersMayWrite) {
  EXPECT_EQ(fault(file_), "");
  fs::permissions(file_, fs::perms::others_write, fs::perm_options::add);
  expect_fault(file_, "lower/a.toml (mode 0646, owner root): whoever may write it tells root");
  fs::permissions(file_, fs::perms::others_write, fs::perm_options::remove);
  give(file_);
  expect_fault(file_, "lower/a.toml (mode 0644, owner 12345): its owner tells root what to do");
}

TEST_F(ReadFile, RefusesAFileInAFolderThatOthersMayWrite) {
  fs::permissions(folder_, fs::perms::others_write, fs::perm_options::add);
  expect_fault(file_, "upper/lower (mode 0757, owner root): whoever");
  fs::permissions(folder_, fs::perms::sticky_bit, fs::perm_options::add);
  EXPECT_EQ(fault(file_), "");
}

// They could give another folder its name.
TEST_F(ReadFile, RefusesAFileBelowAFolderOfOthers) {
  give(outer_.path() + "/upper");
  expect_fault(file_, "/upper (mode 0755, owner 12345): its owner");
}

// What it names is judged: whoever may change the link gains nothing.
TEST_F(ReadFile, JudgesWhatALinkNames) {
  const std::string link = outer_.path() + "/link.toml";
  fs::create_symlink(file_, link);
  give(link);
  EXPECT_EQ(fault(link), "");
  give(file_);
  expect_fault(link, "lower/a.toml (mode 0644, owner 12345)");
}

}  // namespace
}  // namespace surveybridge::config
