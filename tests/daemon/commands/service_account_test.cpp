// The credentials beside a configuration file. That root and members of the group get
// the rights of the service's user is shown by `scripts/test --package`, where that user exists.
#include "daemon/commands/service_account.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/secret.hpp"
#include "tests/support/temporary_folder.hpp"

namespace surveybridge::daemon {
namespace {

namespace fs = std::filesystem;

class ServiceAccount : public testing::Test {
 protected:
  ServiceAccount() {
    ::unsetenv("CREDENTIALS_DIRECTORY");
    std::ofstream(config_) << "# empty\n";
    fs::create_directory(credentials_);
    fs::permissions(credentials_, fs::perms::owner_all);
    std::ofstream(credentials_ + "/token") << "secret\n";
  }
  ~ServiceAccount() override { ::unsetenv("CREDENTIALS_DIRECTORY"); }

  support::TemporaryFolder folder_;
  const std::string config_ = folder_.path() + "/surveybridge.toml";
  const std::string credentials_ = folder_.path() + "/credentials";
  char* argv_[1] = {nullptr};
  const config::Secret token_{config::Secret::From::credential, "token"};
};

TEST_F(ServiceAccount, ReadsTheCredentialsBesideTheConfiguration) {
  ASSERT_TRUE(std::holds_alternative<config::Unreadable>(config::read(token_)));
  EXPECT_EQ(enter_service_account(config_, argv_), std::nullopt);
  const auto secret = config::read(token_);
  ASSERT_TRUE(std::holds_alternative<std::string>(secret));
  EXPECT_EQ(std::get<std::string>(secret), "secret");
}

TEST_F(ServiceAccount, PrefersTheCredentialsThatSystemdLoads) {
  ::setenv("CREDENTIALS_DIRECTORY", "/run/credentials/surveybridge.service", 1);
  EXPECT_EQ(enter_service_account(config_, argv_), std::nullopt);
  EXPECT_STREQ(std::getenv("CREDENTIALS_DIRECTORY"), "/run/credentials/surveybridge.service");
}

TEST_F(ServiceAccount, RefusesAFolderThatEverybodyMayOpen) {
  fs::permissions(credentials_, fs::perms::owner_all | fs::perms::others_read);
  EXPECT_THAT(enter_service_account(config_, argv_).value_or(""),
              testing::HasSubstr("credentials: everybody may open this folder"));
  EXPECT_EQ(std::getenv("CREDENTIALS_DIRECTORY"), nullptr);
}

TEST_F(ServiceAccount, NeedsNoFolder) {
  fs::remove_all(credentials_);
  EXPECT_EQ(enter_service_account(config_, argv_), std::nullopt);
  EXPECT_EQ(std::getenv("CREDENTIALS_DIRECTORY"), nullptr);
}

TEST_F(ServiceAccount, LeavesAMissingFileToItsReader) {
  EXPECT_EQ(enter_service_account(folder_.path() + "/none.toml", argv_), std::nullopt);
}

}  // namespace
}  // namespace surveybridge::daemon
