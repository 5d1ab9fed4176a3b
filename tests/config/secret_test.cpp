#include "config/secret.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <sys/stat.h>

namespace surveybridge::config {
namespace {

namespace fs = std::filesystem;

class Secrets : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "secretsXXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    ::setenv("CREDENTIALS_DIRECTORY", folder_.c_str(), 1);
  }
  void TearDown() override {
    fs::remove_all(folder_);
    ::unsetenv("CREDENTIALS_DIRECTORY");
    ::unsetenv("BRIDGE_TEST_SECRET");
  }

  std::string path(const std::string& name) const { return folder_ / name; }
  Secret file(const std::string& content, ::mode_t mode = 0600) const {
    std::ofstream(path("secret"), std::ios::binary) << content;
    ::chmod(path("secret").c_str(), mode);
    return {Secret::From::file, path("secret")};
  }

  fs::path folder_;
};

std::string text(const Secret& secret) {
  const auto answer = read(secret);
  const auto* found = std::get_if<std::string>(&answer);
  return found == nullptr ? "unreadable: " + std::get<Unreadable>(answer).why : *found;
}

TEST_F(Secrets, ComeFromAFileWithoutOneLineEnd) {
  EXPECT_EQ(text(file("hunter2")), "hunter2");
  EXPECT_EQ(text(file("hunter2\n")), "hunter2");
  EXPECT_EQ(text(file("hunter2\r\n")), "hunter2");
  EXPECT_EQ(text(file(" hunter2 \n")), " hunter2 ");
  EXPECT_EQ(text(file("hunter2", 0640)), "hunter2");
}

TEST_F(Secrets, ComeFromACredential) {
  file("hunter2\n", 0444);
  EXPECT_EQ(text({Secret::From::credential, "secret"}), "hunter2");
}

TEST_F(Secrets, ComeFromTheEnvironment) {
  ::setenv("BRIDGE_TEST_SECRET", "hunter2", 1);
  EXPECT_EQ(text({Secret::From::env, "BRIDGE_TEST_SECRET"}), "hunter2");
}

TEST_F(Secrets, MayBePlainWhereTheSettingAllowsIt) {
  EXPECT_EQ(text({Secret::From::plain, "sqlite3://crm.db"}), "sqlite3://crm.db");
}

TEST_F(Secrets, ThatEverybodyCanReadAreRefused) {
  EXPECT_EQ(text(file("hunter2", 0644)),
            "unreadable: file \"" + path("secret") + "\" can be read by everybody: `chmod 600 " +
                path("secret") + "`, or 640 where the daemon reads it as a member of its group");
}

TEST_F(Secrets, ThatAreNotThereSayWhere) {
  EXPECT_EQ(text({Secret::From::file, path("none")}),
            "unreadable: file \"" + path("none") + "\" cannot be read: No such file or directory");
  EXPECT_EQ(text({Secret::From::credential, "none"}),
            "unreadable: credential \"none\" cannot be read: No such file or directory");
  EXPECT_EQ(text({Secret::From::env, "BRIDGE_TEST_SECRET"}),
            "unreadable: environment variable \"BRIDGE_TEST_SECRET\" is not set");
  EXPECT_EQ(text({}), "unreadable: no secret is configured");
}

TEST_F(Secrets, WithoutACredentialsFolderSayWhatSetsIt) {
  ::unsetenv("CREDENTIALS_DIRECTORY");
  EXPECT_EQ(text({Secret::From::credential, "token"}),
            "unreadable: credential \"token\" is not there: CREDENTIALS_DIRECTORY is not set "
            "(LoadCredential=)");
}

TEST_F(Secrets, OfNoOrManyLinesAreRefusedWithoutShowingThem) {
  const std::string where = "unreadable: file \"" + path("secret") + "\" ";
  const std::string lines = where + "has more than one line or a control character";
  EXPECT_EQ(text(file("")), where + "is empty");
  EXPECT_EQ(text(file("\n")), where + "is empty");
  EXPECT_EQ(text(file("hunter2\n\n")), lines);
  EXPECT_EQ(text(file("hunter2\nHost: evil")), lines);
  EXPECT_EQ(text(file(std::string("hun\0ter2", 8))), lines);
}

TEST_F(Secrets, MayHaveLinesWhereTheSettingAllowsIt) {
  const auto lines = [](const Secret& secret) {
    const auto answer = read_lines(secret);
    const auto* found = std::get_if<std::string>(&answer);
    return found == nullptr ? "unreadable: " + std::get<Unreadable>(answer).why : *found;
  };
  EXPECT_EQ(lines(file("-----BEGIN\nhunter2\n-----END\n")), "-----BEGIN\nhunter2\n-----END");
  EXPECT_EQ(lines(file("one\ntwo\n", 0644)), text(file("one\ntwo\n", 0644)))
      << "others may not read it either";
  EXPECT_EQ(lines(file("")), "unreadable: file \"" + path("secret") + "\" is empty");
}

TEST_F(Secrets, AreAtMost64KiB) {
  const std::string longest(64 * 1024, 'x');
  EXPECT_EQ(text(file(longest)), longest);
  EXPECT_EQ(text(file(longest + "x")),
            "unreadable: file \"" + path("secret") + "\" is larger than 65536 bytes");
}

TEST_F(Secrets, AreNotReadFromAPipe) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(text({Secret::From::file, path("pipe")}),
            "unreadable: file \"" + path("pipe") + "\" is not a regular file");
  EXPECT_EQ(text({Secret::From::file, folder_}),
            "unreadable: file \"" + folder_.string() + "\" is not a regular file");
}

}  // namespace
}  // namespace surveybridge::config
