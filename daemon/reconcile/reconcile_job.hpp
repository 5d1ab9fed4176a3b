// Looks up rows that may or may not have arrived. A row is sent again only when its absence is
// proved. Between two steps the job is idle, has found doubts, or makes a round of searches for
// them. A step of a round reads one page of one search, and settles the search after its last page.
// A search that is not answered again and again is given up for this round, and proves no absence;
// where the service may be away, only while another one of the round is answered in between.
// Rows that a dead instance left claimed become in doubt here. The same goes for rows of a push
// that is not configured any more and that sent as this one does (as_sent.hpp).
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "connectors/crm/ledger/ledger.hpp"
#include "daemon/context/job_context.hpp"
#include "daemon/job/job.hpp"
#include "daemon/pace/retry.hpp"
#include "daemon/reconcile/search_round.hpp"

namespace surveybridge::daemon {

class ReconcileJob final : public Job {
 public:
  ReconcileJob(const config::Push& push, const Shared& shared, std::uint64_t seed);

  const std::string& name() const override { return name_; }
  TimePoint step(TimePoint now) override;
  const JobStatus& status() const override { return status_; }

 private:
  struct Idle {};
  struct DoubtsFound {
    std::deque<DoubtGroup> groups;  // a round each; never empty
    Duration until_next{0};         // from the end of the last round
  };
  struct Round : SearchRound {  // never without a search between two steps
    using SearchRound::SearchRound;
    std::vector<Absent> absent;  // since the last control search
    std::string push;            // that the ledger has the rows under
    std::size_t unreached = 0;   // searches in a row for which the service may be away
    DoubtsFound rest;            // the groups that follow
  };

  std::optional<DoubtsFound> find_doubts();
  void hold_unaskable(const std::string& push, std::vector<crm::Doubt>& doubts);
  bool hold_without_column(DoubtsFound& found, const service::Trouble& trouble);
  TimePoint next_group(DoubtsFound rest, TimePoint now);
  Round begin_round(DoubtsFound found);
  std::optional<Duration> answering(Duration age) const;
  bool may_resend() const;
  TimePoint rest(TimePoint now);
  TimePoint walk(Round& round, TimePoint now);
  TimePoint ask_others(Round& round, TimePoint now);
  bool put_control_first(Round& round);
  void tell_answered(const Round& round);
  void give_up(Search& search, const service::Trouble& trouble);
  void settle(Search& search, Round& round);
  void settle_control(const Search& search, Round& round);
  void resolve(const std::string& push, const std::vector<crm::Ledger::Verdict>& verdicts);

  const config::Push& push_;
  std::string name_;
  JobContext context_;
  JobStatus status_;
  std::string unanswered_;  // what searches were given up; empty: none, as far as is known
  bool gave_up_ = false;    // one since the doubts were read
  RetryState retry_;
  std::optional<crm::Ledger> ledger_;
  std::vector<std::string> names_;  // whose rows are looked up; see names_looked_up()
  std::variant<Idle, DoubtsFound, Round> state_;
  // The data column that carried the keys of this group, and its name; the configuration may name
  // another one now.
  std::optional<mapping::DataColumn> correlate_;
  std::string column_;
  bool round_made_ = false;  // `sync`: one round of each group is enough
};

}  // namespace surveybridge::daemon
