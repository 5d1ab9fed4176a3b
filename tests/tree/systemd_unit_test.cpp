// The unit file, checked by systemd. systemd-analyze exits 0 on an unknown key, so its output must
// be empty.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/support/paths.hpp"

namespace tree {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

class SystemdUnit : public testing::Test {
 protected:
  SystemdUnit() {
    fs::create_directories(folder_);
    text_ = text_of(fs::path(support::source_dir()) / "systemd/surveybridge.service");
    // The program is not installed where tests run.
    const std::string program = "/usr/bin/surveybridge";
    for (auto i = text_.find(program); i != std::string::npos; i = text_.find(program, i))
      text_.replace(i, program.size(), "/bin/true");
  }
  ~SystemdUnit() override { fs::remove_all(folder_); }

  int analyze(const std::string& how) {
    std::ofstream(unit_) << text_;
    const std::string command = "systemd-analyze " + how + " " + unit_.string();
    const int status = std::system((command + " >" + said_.string() + " 2>&1").c_str());
    return WEXITSTATUS(status);
  }

  const fs::path folder_ =
      fs::path(testing::TempDir()) / ("surveybridge-unit-" + std::to_string(getpid()));
  const fs::path unit_ = folder_ / "surveybridge.service";
  const fs::path said_ = folder_ / "said";
  std::string text_;
};

TEST_F(SystemdUnit, HasNoComplaintsFromSystemd) {
  EXPECT_EQ(analyze("verify"), 0);
  EXPECT_EQ(text_of(said_), "");
}

TEST_F(SystemdUnit, IsReportedWithAnUnknownKey) {
  text_ += "\n[Service]\nWatchdogSecs=60\n";
  analyze("verify");
  EXPECT_THAT(text_of(said_), testing::HasSubstr("WatchdogSecs"));
}

TEST_F(SystemdUnit, ExposesLittle) {
  EXPECT_EQ(analyze("security --offline=true --no-pager --threshold=15"), 0) << text_of(said_);
}

TEST_F(SystemdUnit, WouldExposeMoreWithoutItsSystemCallFilter) {
  text_ += "\n[Service]\nSystemCallFilter=\nRestrictNamespaces=no\nCapabilityBoundingSet=~\n";
  EXPECT_NE(analyze("security --offline=true --no-pager --threshold=15"), 0);
}

// What confines a unit: all of its settings from the first of them on.
std::string confinement_of(const std::string& unit) {
  const std::string text =
      text_of(fs::path(support::source_dir()) / ("systemd/" + unit + ".service"));
  const auto begin = text.find("RestrictAddressFamilies=");
  std::istringstream lines(text.substr(std::min(begin, text.size())));
  std::string settings;
  for (std::string line; std::getline(lines, line) && line != "[Install]";)
    if (!line.empty() && !line.starts_with('#')) settings += line + "\n";
  return settings;
}

TEST(SystemdUnits, ConfineVerifyAndEachInstanceAsTheDaemon) {
  const std::string daemon = confinement_of("surveybridge");
  EXPECT_THAT(daemon, testing::HasSubstr("MemoryDenyWriteExecute=yes\n"));
  EXPECT_EQ(confinement_of("surveybridge-verify"), daemon);
  EXPECT_EQ(confinement_of("surveybridge@"), daemon);
  EXPECT_EQ(confinement_of("surveybridge-alert@"), daemon);
}

TEST(SystemdUnits, TellTheReceiversOfAFailure) {
  const auto unit = [](const std::string& name) {
    return text_of(fs::path(support::source_dir()) / ("systemd/" + name));
  };
  EXPECT_THAT(unit("surveybridge.service"),
              testing::HasSubstr("\nOnFailure=surveybridge-alert@surveybridge.service\n"));
  EXPECT_THAT(unit("surveybridge@.service"),
              testing::HasSubstr("\nOnFailure=surveybridge-alert@%i.service\n"));
  const std::string of_verify = "surveybridge-alert@surveybridge-verify.service";
  const std::string verify = unit("surveybridge-verify.service");
  EXPECT_THAT(verify, testing::HasSubstr("\nOnFailure=" + of_verify + "\n"));
  EXPECT_THAT(verify, testing::Not(testing::HasSubstr("SuccessExitStatus")));
  EXPECT_THAT(unit(of_verify + ".d/file.conf"),
              testing::HasSubstr("\nExecStart=\nExecStart=/usr/bin/surveybridge alert failed -c "
                                 "/etc/surveybridge/surveybridge.toml\n"));
}

// The exit of ExecStartPre= would be retried whatever it is: `run` checks for itself.
TEST_F(SystemdUnit, NeedsAPersonAfterAWrongConfiguration) {
  EXPECT_THAT(text_, testing::HasSubstr("\nRestartPreventExitStatus=2 78\n"));
  EXPECT_THAT(text_, testing::Not(testing::HasSubstr("ExecStartPre=")));
}

TEST_F(SystemdUnit, ChecksTheFileBeforeAReload) {
  EXPECT_THAT(text_, testing::HasSubstr("\nExecReload=/bin/true check --offline -c "));
}

}  // namespace
}  // namespace tree
