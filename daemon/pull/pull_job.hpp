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
#include "daemon/lists/page_walk.hpp"
#include "daemon/pace/retry.hpp"
#include "daemon/pull/fetch_ahead.hpp"
#include "daemon/pull/follow_ups.hpp"
#include "daemon/pull/move_check.hpp"
#include "daemon/pull/page_effects.hpp"
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
  // What this process knows about the window that it reads; the rest is stored (crm::StoredWalk).
  struct Window {
    std::optional<PageWalk> pages;  // empty: the next step begins it
    std::set<std::string> ignored;  // parameters that this window's records contradict
    crm::Saved counts;              // so far
  };
  // The place after the page that was stored last, with which the lease was confirmed.
  struct LastPage {
    crm::StoredWalk walk;
    TimePoint at;     // by the database's clock
    Duration uptime;  // then
  };

  void open_tables();
  std::optional<LastPage> after_last_page();
  crm::StoredWalk stored_walk();
  TimePoint due(const crm::StoredWalk& walk, TimePoint db_now) const;
  bool take_lease();
  // Makes `filters_` once; asks the service for data columns where they are named. Returns when to
  // try again; empty: `filters_` is there.
  std::optional<TimePoint> learn_filters(TimePoint now);
  TimePoint read_page(crm::StoredWalk walk, TimePoint now, TimePoint db_now);
  std::optional<TimePoint> examine(FetchAhead::Fetched& fetched, const crm::StoredWalk& walk,
                                   TimePoint now);
  TimePoint prove_empty(FetchAhead::Fetched& fetched, const crm::StoredWalk& walk, TimePoint now);
  std::optional<TimePoint> check_moves(const crm::StoredWalk& walk, TimePoint now);
  TimePoint store(PulledPage pulled, const crm::StoredWalk& walk, TimePoint now, TimePoint db_now);
  void append_ready(PulledPage& pulled, std::vector<std::size_t>& listed, TimePoint now);
  void end_part(const crm::StoredWalk& read);
  void save(PulledPage& pulled, FilterCheck requested, const crm::StoredWalk& next,
            TimePoint db_now, bool fetches_ahead);
  void fetch_ahead(const crm::StoredWalk& next, const std::string& hash_key);
  TimePoint fail(service::Trouble trouble, const crm::StoredWalk& walk, TimePoint now);
  TimePoint go_on(const PageWalk::Answer& answer, const crm::StoredWalk& walk, TimePoint now);
  TimePoint begin_again(const PageWalk::Restarted& restarted, TimePoint now);
  std::string left_out() const;
  void meet_ledger(PagePersons& persons, const std::vector<mapping::Record>& records,
                   const std::vector<mapping::Unreadable>& unreadable);
  void tell(const std::vector<crm::UnreadRecord>& unreadable);
  void count(const crm::Saved& saved);
  std::vector<service::Parameter> filters_for(crm::StoredWalk walk, TimePoint db_now) const;
  std::string describe_window(const crm::StoredWalk& walk, bool open) const;
  void prune(TimePoint db_now);
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
  ReportRenewal report_;
  std::optional<FollowUps> follow_ups_;
  std::optional<crm::PullStore> tables_;
  std::optional<std::vector<service::Parameter>> filters_;  // all but the window; empty: not made
  std::optional<crm::Lease> lease_;
  std::optional<LastPage> last_page_;
  // As of that page; when somebody is forgotten, they change.
  std::optional<crm::People::Seals> seals_;
  Window window_;
  bool asked_for_ = false;  // a person wants a new window, whatever `every` says
  bool opened_ = false;  // this process has opened a window; false: it only continued a stored one
  bool walked_ = false;  // `sync`: the window that this process opened has been read to its end
  FetchAhead ahead_;     // last member: its destructor waits for a fetch, which uses those above
};

}  // namespace surveybridge::daemon
