// The files that init writes: the configuration and its secrets.
#include "daemon/init/new_file.hpp"

#include <filesystem>

#include <gmock/gmock.h>
#include <sys/stat.h>

#include "daemon/init/new_configuration.hpp"
#include "tests/support/temporary_folder.hpp"

namespace surveybridge::daemon {
namespace {

namespace fs = std::filesystem;
using config::Secret;
using testing::HasSubstr;

class NewFiles : public testing::Test {
 protected:
  std::string at(const std::string& name) { return folder_.path() + "/" + name; }
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
  EXPECT_EQ(support::read_file(at("a")), "text\n");
  EXPECT_EQ(mode_of("a"), 0600u);
  EXPECT_EQ(files(), 1);
}

TEST_F(NewFiles, ReplaceNothingUnlessTold) {
  folder_.write("a", "old");
  EXPECT_THAT(fault_of_new_file(at("a"), false).value_or(""), HasSubstr("--force"));
  EXPECT_THAT(write_new_file({at("a"), "new", 0600}, false).value_or(""), HasSubstr("--force"));
  EXPECT_EQ(support::read_file(at("a")), "old");
  EXPECT_EQ(fault_of_new_file(at("a"), true), std::nullopt);
  EXPECT_EQ(write_new_file({at("a"), "new", 0640}, true), std::nullopt);
  EXPECT_EQ(support::read_file(at("a")), "new");
  EXPECT_EQ(files(), 1);
}

TEST_F(NewFiles, NeedAFolder) {
  EXPECT_THAT(fault_of_new_file(at("no/a"), false).value_or(""),
              HasSubstr("/no/a: cannot be written: No such file or directory"));
  EXPECT_THAT(write_new_file({at("no/a"), "", 0600}, true).value_or(""), HasSubstr("cannot be"));
  EXPECT_THAT(fault_of_new_file(folder_.path(), true).value_or(""), HasSubstr("is a folder"));
}

TEST_F(NewFiles, HoldTheSecretsThatTheConfigurationRefersTo) {
  NewSettings settings;
  settings.auth.token = {Secret::From::plain, "t0p"};
  settings.auth.password = {Secret::From::env, "PASSWORD"};
  settings.connection = {Secret::From::plain, "postgresql://host=h password=s3"};
  const auto files = move_secrets_out(settings, at("shop.toml"));
  ASSERT_EQ(files.size(), 2u);
  EXPECT_EQ(files[0].path, at("shop.token"));
  EXPECT_EQ(files[0].text, "t0p\n");
  EXPECT_EQ(files[0].mode, 0600u);
  EXPECT_EQ(reference_text(settings.auth.token), "file:" + at("shop.token"));
  EXPECT_EQ(files[1].path, at("shop.crm-connection"));
  EXPECT_EQ(reference_text(settings.auth.password), "env:PASSWORD");
}

TEST_F(NewFiles, AreCredentialsWhereThereIsAFolderForThem) {
  fs::create_directory(at("credentials"));
  NewSettings settings;
  settings.auth.token = {Secret::From::plain, "t0p"};
  settings.connection = {Secret::From::plain, "postgresql://host=h"};
  auto files = move_secrets_out(settings, at("surveybridge.toml"));
  ASSERT_EQ(files.size(), 1u) << "a connection without a password is no secret";
  EXPECT_EQ(files[0].path, at("credentials/token"));
  EXPECT_EQ(reference_text(settings.auth.token), "credential:token");
  settings.auth.token = {Secret::From::plain, "t0p"};
  files = move_secrets_out(settings, at("second.toml"));
  EXPECT_EQ(files.at(0).path, at("credentials/second-token"));
}

TEST(SecretReferences, AreWhatTheConfigurationKnows) {
  EXPECT_EQ(secret_reference("env:TOKEN")->from, Secret::From::env);
  EXPECT_EQ(secret_reference("file:/srv/token")->name, "/srv/token");
  EXPECT_EQ(secret_reference("credential:token")->name, "token");
  EXPECT_FALSE(secret_reference("t0p:secret").has_value());
}

}  // namespace
}  // namespace surveybridge::daemon
