// A small shop, on SQLite unless a test says otherwise, whose orders a whole daemon pushes to the
// stand-in, in process. The fixture of the daemon's tests; each test changes what it needs.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "connectors/crm/erasure/forget.hpp"
#include "connectors/crm/ledger/ledger.hpp"
#include "daemon/runtime/sync.hpp"
#include "tests/in_process/instance.hpp"
#include "tests/support/temporary_folder.hpp"

namespace in_process {

class Shop : public testing::Test {
 protected:
  // `connection`: the CRM's; empty: an SQLite file of the shop's own.
  explicit Shop(sandbox::Options options = still(), const std::string& connection = "");
  // No token needed, and customers do nothing.
  static sandbox::Options still();

  void order(const std::string& id, const std::string& grade = "5");
  void sql(const std::string& text) { crm_->execute({text, {}}); }
  // The only number in a query's result.
  std::int64_t number(const std::string& query);
  // The only cell of a query's result, as text.
  std::string cell(const std::string& query);
  // Pulls and rules on people as this text says.
  void pull_and_suppress(const std::string& toml);
  // How the person with this address is stored, and forgotten.
  std::string person(const std::string& address);
  surveybridge::crm::Erased forget(const std::string& address,
                                   const std::vector<std::string>& correlates = {"OrderNumber"});
  // Pushes the result of `query`.
  void query(const std::string& query) { settings_.pushes.at(0).query = query; }
  surveybridge::crm::State state(const std::string& key);
  // Why a row has its state.
  std::string reason(const std::string& key);
  // How many customers the service has.
  std::size_t mailed() const { return service_.customers().size(); }
  // A person lets so many rows go.
  void release(std::int64_t rows, const std::string& push = "orders");

  struct Synced {
    surveybridge::daemon::SyncResult result;
    surveybridge::daemon::Duration waited;  // by the simulated clock
  };
  Synced sync();
  // A daemon that is started now lives so long.
  void run(surveybridge::daemon::Duration length);
  // Changes each answer of the service to a GET.
  using Change = std::function<void(const surveybridge::service::Request& request,
                                    surveybridge::service::Response& response)>;
  void change_answers(Change change);

  support::TemporaryFolder folder_;
  std::string connection_;
  TurnedClock clock_;
  sandbox::Service service_;
  surveybridge::config::Settings settings_;
  Outside outside_{connection_, service_, clock_};
  std::uint64_t seed_ = 7;  // of the last instance: each gets other batch ids
  std::unique_ptr<surveybridge::crm::Database> crm_;
};

// The answers to all adds are lost; the service has stored them.
surveybridge::service::Exchange lose_answers(
    const surveybridge::service::Request& request,
    const std::function<surveybridge::service::Exchange()>& send);
// Does it ask for customers by their address or data, or by dates alone?
bool is_search(const surveybridge::service::Request& request);
bool is_walk(const surveybridge::service::Request& request);
// An answer that lists no customer.
surveybridge::service::Response no_customers();

}  // namespace in_process
