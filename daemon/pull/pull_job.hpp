// Reads a list: customers, ratings or bouncers. A step reads one page, by the walk's window and
// cursor, and stores it with the new cursor in one transaction. The next pages are fetched
// meanwhile; those that are there when a page is stored are stored with it. After any failure the
// walk continues after the last stored page.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "connectors/crm/pulled/pull_store.hpp"
#include "daemon/context/job_context.hpp"
#include "daemon/job/job.hpp"
#include "daemon/lists/filter_check.hpp"
#include "daemon/lists/page_history.hpp"
#include "daemon/pace/retry_state.hpp"
#include "daemon/pull/bare_answer.hpp"
#include "daemon/pull/fetch_ahead.hpp"
#include "daemon/pull/move_check.hpp"
#include "daemon/pull/page_effects.hpp"
#include "daemon/pull/pull_plan.hpp"
#include "daemon/pull/report_renewal.hpp"

namespace surveybridge::daemon {

class PullJob final : public Job {
 public:
  // One walk of a list.
  PullJob(const config::Pull& pull, WalkPlan plan, const Shared& shared, std::uint64_t seed);

  const std::string& name() const override { return name_; }
  TimePoint step(TimePoint now) override;
  const JobStatus& status() const override { return status_; }
  // The next window begins at once, or after the one that is being read.
  void make_due() override { asked_for_ = true; }
  void leave() override;

 private:
  static constexpr int kDivisionsMax = 3;

  // What this process knows about the window that it reads; the rest is stored (crm::StoredWalk).
  struct Window {
    RestartTracker restarts;
    std::set<std::string> ignored;  // parameters that this window's records contradict
    crm::Saved counts;              // so far
    // A part that was read while nothing moved pays for one more division.
    int divisions_left = kDivisionsMax;
    ReadAround around;
    bool asks_before = false;  // whether the list answers for anything else
    std::string left_out;      // what was not answered; empty: nothing
    BareEnd bare_end;
  };

  void prune_history(TimePoint db_now);
  TimePoint due(const crm::StoredWalk& walk, TimePoint db_now) const;
  // Where a walk stands, and the database's time.
  struct Standing {
    crm::StoredWalk walk;
    TimePoint db_now;
  };
  std::optional<Standing> after_last_page();
  bool take_lease();
  // Makes `filters_` once; asks the service for data columns where they are named. Returns when to
  // try again; empty: `filters_` is there.
  std::optional<TimePoint> learn_filters(TimePoint now);
  std::vector<service::Parameter> asked_of(const crm::StoredWalk& walk) const;
  void fetch_ahead(const crm::StoredWalk& next, const std::string& hash_key);
  // What follows the page at which `walk` stands.
  PageHistory::Next take_page(const crm::StoredWalk& walk, const mapping::Page& page);
  TimePoint begin_again(const crm::StoredWalk& walk, JobStatus::Fault fault, const std::string& why,
                        TimePoint now);
  void append_ready(PulledPage& pulled, crm::StoredWalk& next, std::vector<std::size_t>& listed,
                    TimePoint now, TimePoint db_now);
  std::optional<TimePoint> check_moves(const crm::StoredWalk& walk, TimePoint now);
  TimePoint store(PulledPage pulled, const crm::StoredWalk& walk, TimePoint now, TimePoint db_now);
  void save(PulledPage& pulled, FilterCheck requested, const crm::StoredWalk& next,
            TimePoint db_now);
  TimePoint handle_trouble(const service::Trouble& trouble, const crm::StoredWalk& walk,
                           TimePoint now);

  TimePoint read_around(const service::Trouble& trouble, const crm::StoredWalk& walk,
                        TimePoint now);
  TimePoint ask_before(const crm::StoredWalk& walk, TimePoint now);
  TimePoint leave_out(const service::Trouble& trouble, const crm::StoredWalk& walk, TimePoint now);
  TimePoint doubt_end(const crm::StoredWalk& walk, TimePoint now);
  void meet_ledger(PagePersons& persons, const std::vector<mapping::Record>& records,
                   const std::vector<mapping::Unreadable>& unreadable);
  void tell(const std::vector<crm::UnreadRecord>& unreadable);
  void count(const crm::Saved& saved);
  std::vector<service::Parameter> filters_for(crm::StoredWalk walk, TimePoint db_now) const;
  std::string describe_window(const crm::StoredWalk& walk, bool open) const;
  std::optional<crm::StoredWalk> divide(const crm::StoredWalk& walk, std::int64_t parts,
                                        TimePoint db_now);
  crm::StoredWalk next_state(const crm::StoredWalk& walk, const std::string& next_cursor,
                             TimePoint db_now);
  void close_window();

  const config::Pull& pull_;
  WalkPlan plan_;
  std::string name_;
  const service::ListOperation& list_;
  JobContext context_;
  JobStatus status_;
  RetryState retry_;
  LogThrottle unreadable_;  // records that were set aside
  MoveCheck moves_;
  BareAnswer bare_;
  ReportRenewal report_;
  std::optional<crm::PullStore> tables_;
  std::optional<std::vector<service::Parameter>> filters_;  // all but the window; empty: not made
  std::optional<crm::Lease> lease_;
  // The page that was stored last, with which the lease was confirmed.
  struct LastPage {
    crm::StoredWalk walk;
    TimePoint at;     // by the database's clock
    Duration uptime;  // then
  };
  std::optional<LastPage> last_page_;
  // As of that page; when somebody is forgotten, they change.
  std::optional<crm::People::Seals> seals_;
  Window window_;
  // The pages that this process has read one after the other; empty: the next one is the first.
  struct ReadPages {
    std::optional<TimePoint> window;  // its end
    PageHistory history;
  };
  std::optional<ReadPages> read_;
  bool asked_for_ = false;  // a person wants a new window, whatever `every` says
  bool opened_ = false;  // this process has opened a window; false: it only continued a stored one
  bool walked_ = false;  // `sync`: the window that this process opened has been read to its end
  FetchAhead ahead_;     // last member: its destructor waits for a fetch, which uses those above
};

}  // namespace surveybridge::daemon
