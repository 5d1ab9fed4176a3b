// Adds that are answered 403. One that asks to wait is a refusal of the rate, as a 429 is, but only
// three times in a row for the same row: a gateway may write it for what is in that row. Where
// others are accepted in between, it is what a row holds that a gateway forbids: the row waits
// longer each time, and is held after three times. Where nothing is accepted any more, it is no
// row's fault: a right is missing, or a firewall blocks for a while. All wait then, and try again:
// after each batch one row of it goes alone, another one each time, and the others wait a while, so
// that those behind them are tried, too. Whatever is accepted ends that.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "connectors/crm/ledger/ledger.hpp"
#include "daemon/push/push_plan.hpp"

namespace surveybridge::daemon {

class Forbidden {
 public:
  // The outcome of a batch of these rows; a 403 that has asked one of them to wait too often is one
  // that forbids.
  service::AddOutcome judge_wait(service::AddOutcome outcome, const std::vector<std::string>& keys);
  // A decision on a 403, with what this makes of it.
  PushDecision judge(PushDecision decision, const std::string& push, crm::Ledger& ledger);
  void accepted(const PushDecision& decision);
  // Is nothing accepted any more, whatever is sent?
  bool is_everything() const;
  // Why rows wait that this process has sent and that were answered 403; empty: none does.
  std::string why_rows_wait(const std::string& push, crm::Ledger& ledger);
  // They wait no longer.
  void let_go(const std::string& push, crm::Ledger& ledger, crm::Database& database);

 private:
  PushDecision suspect_everything(PushDecision decision);

  int in_a_row_ = 0;  // without those of rows that were refused alone before
  // By key: how often it was refused alone; 0: while nothing was accepted.
  std::map<std::string, int> alone_;
  int tried_ = 0;                     // rows that went alone while nothing was accepted
  std::map<std::string, int> waits_;  // by key: 403 in a row that asked to wait
};

}  // namespace surveybridge::daemon
