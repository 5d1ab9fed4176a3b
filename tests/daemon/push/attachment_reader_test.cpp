#include "daemon/push/attachment_reader.hpp"

#include <filesystem>
#include <stdexcept>

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "tests/support/temporary_folder.hpp"

namespace {

using namespace surveybridge;
using mapping::Bytes;
using mapping::Coerced;
using mapping::ConversionError;
using mapping::Value;
namespace fs = std::filesystem;

struct Folder : testing::Test {
  Coerced read(const std::string& name, std::size_t bytes_max = 100) const {
    return daemon::read_from_folder(folder.path(), name, bytes_max);
  }
  static Coerced content(const std::string& bytes) { return Value{Bytes{bytes}}; }
  static Coerced misfit(const std::string& rule) { return ConversionError{rule}; }

  support::TemporaryFolder folder, elsewhere;
};

TEST_F(Folder, GivesWhatIsInItsFiles) {
  folder.write("a.bin", std::string("\0\xFF\n", 3));
  folder.write("empty", "");
  folder.write("2026/11/b", "b");
  folder.write("with a blank, ünd more", "c");
  folder.write("..a", "two dots may begin a name");
  EXPECT_EQ(read("a.bin"), content(std::string("\0\xFF\n", 3)));
  EXPECT_EQ(read("empty"), content(""));
  EXPECT_EQ(read("2026/11/b"), content("b"));
  EXPECT_EQ(read("./2026//11/./b"), content("b"));
  EXPECT_EQ(read("with a blank, ünd more"), content("c"));
  EXPECT_EQ(read("..a"), content("two dots may begin a name"));
}

TEST_F(Folder, GivesNoMoreBytesThanMayBe) {
  folder.write("a", std::string(100, 'x'));
  EXPECT_EQ(read("a", 100), content(std::string(100, 'x')));
  EXPECT_EQ(read("a", 99), misfit("has more than 99 bytes"));
}

TEST_F(Folder, IsNotLeftByAnyName) {
  const std::string secret = elsewhere.write("secret", "s");
  folder.write("2026/b", "b");
  const std::string name = fs::path(elsewhere.path()).filename().string();
  const std::string own = fs::path(folder.path()).filename().string();
  const std::vector<std::string> leaving = {secret,
                                            "../" + name + "/secret",
                                            "2026/../../" + name + "/secret",
                                            "../" + own + "/2026/b",
                                            "2026/../2026/b",
                                            "/" + secret,
                                            "/etc/passwd",
                                            "..",
                                            "../",
                                            "2026/..",
                                            ".",
                                            "./",
                                            "/",
                                            ""};
  for (const std::string& way : leaving)
    EXPECT_EQ(read(way), misfit("is not in the folder")) << way;
}

TEST_F(Folder, FollowsNoLinks) {
  const std::string secret = elsewhere.write("secret", "s");
  folder.write("b", "b");
  fs::create_symlink(secret, folder.path() + "/link");
  fs::create_symlink("b", folder.path() + "/within");
  fs::create_symlink("loop", folder.path() + "/loop");
  fs::create_symlink("nowhere", folder.path() + "/dangling");
  fs::create_directory_symlink(elsewhere.path(), folder.path() + "/way");
  const std::string rule = "is a link or behind one, and links are not followed";
  for (const char* name : {"link", "within", "loop", "dangling", "way", "way/secret", "way/none"})
    EXPECT_EQ(read(name), misfit(rule)) << name;
}

TEST_F(Folder, MayItselfBeALink) {
  folder.write("b", "b");
  const std::string link = elsewhere.path() + "/current";
  fs::create_directory_symlink(folder.path(), link);
  EXPECT_EQ(daemon::read_from_folder(link, "b", 9), content("b"));
}

TEST_F(Folder, WaitsForNothingThatIsNoFile) {
  ASSERT_EQ(mkfifo((folder.path() + "/pipe").c_str(), 0600), 0);
  fs::create_directory(folder.path() + "/sub");
  const int server = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{AF_UNIX, {}};
  (folder.path() + "/socket").copy(address.sun_path, sizeof address.sun_path - 1);
  ASSERT_EQ(bind(server, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  for (const char* name : {"pipe", "sub", "sub/", "socket"})
    EXPECT_EQ(read(name), misfit("is no regular file")) << name;
  EXPECT_EQ(daemon::read_from_folder("/dev", "zero", 9), misfit("is no regular file"));
  close(server);
}

TEST_F(Folder, SaysWhatIsNotThere) {
  folder.write("file", "x");
  for (const char* name : {"gone", "gone/a", "file/a"})
    EXPECT_EQ(read(name), misfit("is not there")) << name;
  EXPECT_EQ(read(std::string(300, 'x')), misfit("has too long a name"));
  EXPECT_EQ(read(std::string("a\0b", 3)), misfit("has a name that no file can have"));
}

TEST_F(Folder, SaysWhatItMayNotRead) {
  fs::permissions(folder.write("shut", "x"), fs::perms::none);
  const Coerced got = read("shut");
  if (geteuid() == 0) {
    EXPECT_EQ(got, content("x")) << "root may read everything";
  } else {
    EXPECT_EQ(got, misfit("cannot be read"));
  }
}

TEST_F(Folder, ThatIsAwayIsNoFaultOfItsFiles) {
  const std::string away = folder.path() + "/away", file = folder.write("file", "x");
  EXPECT_THROW(daemon::read_from_folder(away, "a", 100), std::runtime_error);
  EXPECT_THROW(daemon::read_from_folder(file, "a", 100), std::runtime_error);
  EXPECT_EQ(daemon::fault_of_folder(folder.path()), std::nullopt);
  EXPECT_EQ(daemon::fault_of_folder(away), away + ": No such file or directory");
  EXPECT_EQ(daemon::fault_of_folder(file), file + ": Not a directory");
}

}  // namespace
