// A batch of a push, from the choice of its rows to its settlement. Belongs to a push's thread; its
// request runs beside it (posts.hpp).
//
// Once it is claimed its decision always says what is true at that moment ("not sent" before the
// POST, "in doubt" while the POST is under way), so that it can be settled at any time. The
// destructor settles what is claimed, and gives a split batch back that did not go.
#pragma once

#include <deque>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "connectors/crm/ledger/ledger.hpp"
#include "connectors/service/outcome.hpp"
#include "daemon/context/job_context.hpp"
#include "daemon/push/push_plan.hpp"

namespace surveybridge::daemon {

// Keys that were refused together and go again as batches of their own, in their order.
using SplitBatches = std::deque<std::vector<std::string>>;

std::vector<std::string> keys_of(const std::vector<BatchItem>& items);

class Batch {
 public:
  // What a request works with, while the job goes on: a connection to the service that no other
  // request uses, and the ledger's database.
  struct Line {
    ServiceLine service;
    std::unique_ptr<crm::Database> database;
  };

  Batch() = default;
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;
  ~Batch();

  // Takes out the split batch in front. Its keys go back to the front, unless the rows are claimed
  // or end_split() says that they need not go as a batch of their own any more.
  const std::vector<std::string>& take_split(SplitBatches& splits);
  void end_split() { splits_ = nullptr; }
  bool is_split() const { return splits_ != nullptr; }

  // About to be claimed under this id: should the claim's own answer be lost, nothing was sent.
  void begin_claim(crm::Ledger& ledger, const std::string& push, std::string id);
  // Only these rows were claimed: one item stays for each of the keys. Without any there is nothing
  // to settle.
  void confirm(const std::vector<std::string>& ours);
  bool is_claimed() const { return ledger_ != nullptr; }
  void decide(PushDecision decision) { decision_ = std::move(decision); }
  // Writes the decision to the ledger. Throws DatabaseError; then it can be called again.
  void settle();

  const std::string& id() const { return id_; }
  const PushDecision& decision() const { return decision_; }

  // Read from the CRM, and not mapped yet.
  std::vector<mapping::Row> rows;
  std::vector<crm::Ledger::SetAside> set_aside;     // to be quarantined
  std::vector<crm::Ledger::SetAside> before_start;  // to be suppressed
  std::size_t looked_at = 0;                        // keys, also those whose rows are gone
  bool pending = false;                             // the ledger has the rows already
  bool more = false;                                // others may wait behind them
  // Chosen.
  std::vector<BatchItem> items;     // empty: there were rows, and none of them can be sent now
  bool lacks_rows = false;          // more of those that wait would make it larger
  std::optional<std::string> held;  // why the brake lets nothing of it go
  TimePoint chosen_at{};
  // On its way.
  Line line;
  std::future<service::AddOutcome> answer;
  std::unique_ptr<RunningWork> running;        // has ended with the request
  std::optional<service::AddOutcome> outcome;  // without one its decision is what holds

 private:
  SplitBatches* splits_ = nullptr;  // where the keys of a split batch go back
  std::vector<std::string> split_;
  crm::Ledger* ledger_ = nullptr;  // none: there is nothing to settle
  std::string push_, id_;
  PushDecision decision_;
};

}  // namespace surveybridge::daemon
