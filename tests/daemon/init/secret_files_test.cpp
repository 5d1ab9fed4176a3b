// The files in which init keeps secrets.
#include <filesystem>

#include <gmock/gmock.h>

#include "daemon/init/new_configuration.hpp"
#include "tests/support/temporary_folder.hpp"

namespace surveybridge::daemon {
namespace {

namespace fs = std::filesystem;
using config::Secret;

class SecretFiles : public testing::Test {
 protected:
  std::string at(const std::string& name) { return folder_.path() + "/" + name; }
  support::TemporaryFolder folder_;
};

TEST_F(SecretFiles, HoldTheSecretsThatTheConfigurationRefersTo) {
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

TEST_F(SecretFiles, AreCredentialsWhereThereIsAFolderForThem) {
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
