#include "daemon/file_reader.hpp"

#include <filesystem>
#include <stdexcept>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/support/temporary_folder.hpp"

namespace {

using namespace surveybridge;
using mapping::Bytes;
using mapping::Coerced;
using mapping::Misfit;
using mapping::Value;

struct Files : testing::Test {
  Coerced read(const std::string& name, std::size_t most = 100) const {
    return daemon::read_file_in(folder.path(), name, most);
  }
  static Coerced content(const std::string& bytes) { return Value{Bytes{bytes}}; }
  static Coerced misfit(const std::string& rule) { return Misfit{rule}; }

  support::TemporaryFolder folder, elsewhere;
};

TEST_F(Files, AreReadAsTheyAre) {
  folder.write("a.bin", std::string("\0\xFF\n", 3));
  folder.write("empty", "");
  std::filesystem::create_directory(folder.path() + "/2026");
  folder.write("2026/b", "b");
  EXPECT_EQ(read("a.bin"), content(std::string("\0\xFF\n", 3)));
  EXPECT_EQ(read("empty"), content(""));
  EXPECT_EQ(read("2026/b"), content("b"));
  EXPECT_EQ(read("2026/../a.bin"), content(std::string("\0\xFF\n", 3)));
  EXPECT_EQ(read(folder.path() + "/2026/b"), content("b")) << "the whole path is a name too";
}

TEST_F(Files, OfMoreThanTheMostAreNot) {
  folder.write("a", std::string(100, 'x'));
  EXPECT_EQ(read("a", 100), content(std::string(100, 'x')));
  EXPECT_EQ(read("a", 99), misfit("a file of more than 99 bytes"));
}

TEST_F(Files, AreReadFromTheFolderOnly) {
  const std::string secret = elsewhere.write("secret", "s");
  std::filesystem::create_symlink(secret, folder.path() + "/link");
  std::filesystem::create_directory_symlink(elsewhere.path(), folder.path() + "/way");
  const std::string outside = "a file outside the folder";
  EXPECT_EQ(read(secret), misfit(outside));
  EXPECT_EQ(read("../" + std::filesystem::path(elsewhere.path()).filename().string() + "/secret"),
            misfit(outside));
  EXPECT_EQ(read("link"), misfit(outside));
  EXPECT_EQ(read("way/secret"), misfit(outside));
  EXPECT_EQ(read("/etc/passwd"), misfit(outside));
  EXPECT_EQ(read("."), misfit(outside)) << "the folder itself is no file in it";
  const std::string beside = folder.path() + "2";
  std::filesystem::create_directory(beside);
  std::filesystem::copy(secret, beside + "/secret");
  EXPECT_EQ(read(beside + "/secret"), misfit(outside)) << "its name begins alike";
  std::filesystem::remove_all(beside);
}

TEST_F(Files, ThatAreNoneAreNotWaitedFor) {
  mkfifo((folder.path() + "/pipe").c_str(), 0600);
  std::filesystem::create_directory(folder.path() + "/sub");
  EXPECT_EQ(read("pipe"), misfit("not a regular file"));
  EXPECT_EQ(read("sub"), misfit("not a regular file"));
  EXPECT_EQ(read("gone"), misfit("there is no such file"));
  EXPECT_EQ(read(std::string(5000, 'x')), misfit("there is no such file"));
  EXPECT_EQ(read(std::string("a\0b", 3)), misfit("not the name of a file"));
}

TEST_F(Files, OfAFolderThatIsAwayAreNoFaultOfTheirRows) {
  EXPECT_THROW(daemon::read_file_in(folder.path() + "/away", "a", 100), std::runtime_error);
}

}  // namespace
