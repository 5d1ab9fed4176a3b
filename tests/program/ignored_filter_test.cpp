// A service that ignores a filter: `check` names it, a pull drops what the filter excludes, and
// `status` shows it until the filter is removed.
#include <gmock/gmock.h>

#include "tests/program/bridge.hpp"
#include "tests/program/configuration.hpp"
#include "tests/program/crm.hpp"
#include "tests/program/sandbox_program.hpp"

namespace program {
namespace {

using testing::HasSubstr;
using testing::Not;

struct IgnoredFilter : testing::Test {
  IgnoredFilter() { crm_.insert(orders(20)); }
  std::string config(const std::string& filter) {
    return folder_.write("bridge.toml",
                         replaced(configuration(crm_.connection(), sandbox_.url()),
                                  "overlap = ", "filter  = { " + filter + " }\noverlap = "));
  }
  support::Finished run(const std::string& command, const std::string& filter) {
    return bridge({command, "-c", config(filter)});
  }

  Crm crm_{Server::sqlite};
  SandboxProgram sandbox_{{"--speed", "5000000", "--ignore", "Statuses"}};
  support::TemporaryFolder folder_;
};

TEST_F(IgnoredFilter, IsNamedByCheckAndShownByStatusUntilItIsGone) {
  const std::string ignored = "Statuses = [99]", heeded = "IncludeNotes = true";
  EXPECT_EQ(run("sync", ignored).status, 1) << "somebody has to know";
  EXPECT_EQ(run("sync", ignored).status, 1);
  EXPECT_EQ(crm_.cell("SELECT count(*) FROM survey_customer"), "0");

  const auto checked = run("check", ignored);
  EXPECT_EQ(checked.status, 78);
  EXPECT_THAT(checked.err, HasSubstr("pull.customers: Statuses: the service ignores this filter"));

  const auto status = run("status", ignored);
  EXPECT_EQ(status.status, 1);
  EXPECT_THAT(status.out, HasSubstr("the service ignores Statuses"));

  EXPECT_EQ(run("check", heeded).status, 0);
  EXPECT_EQ(run("sync", heeded).status, 0);
  const auto after = run("status", heeded);
  EXPECT_EQ(after.status, 0) << after.out;
  EXPECT_THAT(after.out, Not(HasSubstr("ignores")));
  EXPECT_EQ(crm_.cell("SELECT count(*) FROM survey_customer"), "20");
}

}  // namespace
}  // namespace program
