// Commands that only look at the tables, typed by somebody who has not the service's secret.
#include <gmock/gmock.h>

#include "tests/program/bridge.hpp"
#include "tests/program/configuration.hpp"
#include "tests/program/crm.hpp"
#include "tests/program/sandbox_program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace program {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(WithoutTheSecret, TablesCanBeLookedAt) {
  Crm crm(Server::sqlite);
  SandboxProgram sandbox{{"--speed", "0"}};
  support::TemporaryFolder folder;
  const std::string text = configuration(crm.connection(), sandbox.url()) +
                           "\n[status]\nlisten = \"127.0.0.1:0\"\n"
                           "token = { env = \"NO_SUCH_VARIABLE\" }\n";
  crm.insert(orders(3));
  ASSERT_EQ(bridge({"sync", "-c",
                    folder.write("first.toml", configuration(crm.connection(), sandbox.url()))})
                .status,
            0);
  const std::string config =
      folder.write("bridge.toml", replaced(text, "BRIDGE_TOKEN", "NO_SUCH_VARIABLE"));
  for (const Arguments& words : {Arguments{"status"},
                                 {"explain", "1"},
                                 {"quarantine", "list"},
                                 {"doubt", "list"},
                                 {"suppressed"},
                                 {"report"},
                                 {"write-back", "customers"},
                                 {"forget", "nobody@example.test"}}) {
    Arguments typed = words;
    typed.insert(typed.end(), {"-c", config});
    const auto done = bridge(typed);
    EXPECT_THAT(done.err, Not(HasSubstr("NO_SUCH_VARIABLE"))) << words.front();
    EXPECT_LE(done.status, 1) << words.front() << done.err;
  }
  for (const char* word : {"sync", "verify", "check"}) {
    const auto refused = bridge({word, "-c", config});
    EXPECT_EQ(refused.status, 78) << word;
    EXPECT_THAT(refused.err, HasSubstr("NO_SUCH_VARIABLE")) << word;
  }
}

}  // namespace
}  // namespace program
