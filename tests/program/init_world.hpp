// A shop as the demo has it, a service and an empty folder: what `surveybridge init` begins with.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <sys/stat.h>

#include "tests/program/bridge.hpp"
#include "tests/program/configuration.hpp"
#include "tests/program/crm.hpp"
#include "tests/program/sandbox_program.hpp"
#include "tests/support/terminal.hpp"

namespace program {

// The demo's orders, in any database.
void make_demo_orders(Crm& crm, Server server);
// How many there are, as text.
std::string tables_of_the_bridge(Crm& crm, Server server);
std::ptrdiff_t files_in(const std::string& folder);
mode_t mode_of_file(const std::string& path);

// What a person waits for, and then types.
using Conversation = std::vector<std::pair<std::string, std::string>>;
void converse(support::Terminal& terminal, const Conversation& lines);
// Enter at each question about the columns of kDemoQuery.
void accept_columns(support::Terminal& terminal);

// Without the orders that cannot become customers.
constexpr const char* kDemoQuery =
    "SELECT * FROM orders WHERE state = 'delivered' AND order_no NOT LIKE 'P-ODD%'";

// The columns of the demo's service (scripts/demo), but for Branch.
std::vector<std::string> demo_service();

class Init : public testing::Test {
 protected:
  explicit Init(Server server = Server::sqlite) : server_(server), crm_(server) {
    make_demo_orders(crm_, server);
  }

  std::string file() const { return folder_.path() + "/bridge.toml"; }
  Arguments options(const Arguments& more = {}) const;
  // Its result may show a batch; what it says besides has no private word.
  static support::Finished init(const Arguments& arguments);
  void expect_ready(const std::string& said);

  Server server_;
  Crm crm_;
  SandboxProgram sandbox_{demo_service()};
  support::TemporaryFolder folder_;
};

class InitOn : public Init, public testing::WithParamInterface<Server> {
 protected:
  InitOn() : Init(GetParam()) {}
};

}  // namespace program
