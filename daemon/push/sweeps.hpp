// Finds the keys of new rows: sweeps over a push's window chunk by chunk and keeps the keys that
// the ledger does not know until they have gone out. Belongs to a push; its position is lost with
// the process, and the next one begins anew.
//
// There are two sweeps. That of the recent part of the window (kRecent, or twice `every` if that is
// longer) is done at each poll. That of the whole window finds rows that were committed late. The
// first one of a process goes to its end at once. The next ones go on at each poll as far as a
// budget allows (SweepBudget), which does not count what finds rows; one that lasts longer than
// kWholeWithin goes on without it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "config/settings.hpp"
#include "connectors/crm/daemon_state/sweep_store.hpp"
#include "connectors/crm/source/source.hpp"
#include "daemon/context/job_context.hpp"
#include "daemon/job/job.hpp"

namespace surveybridge::daemon {

// How much time the sweep of a whole window may take: one hundredth of the time that passes, so
// that its share of a core stays bounded however large the window is. Belongs to a sweep.
class SweepBudget {
 public:
  // `uptime`: monotonic.
  void reach(Duration uptime) {
    if (reached_ > Duration{0}) credit_ += std::max(Duration{0}, uptime - reached_) / kShare;
    credit_ = std::min(credit_, kMost);
    reached_ = uptime;
  }
  void spend(Duration time) { credit_ -= time; }
  bool allows() const { return credit_ > Duration{0}; }

 private:
  static constexpr int kShare = 100;
  static constexpr Duration kMost = std::chrono::seconds{10};  // that is saved up for one poll

  Duration credit_{0};
  Duration reached_{0};
};

inline constexpr std::chrono::hours kRecent{1};
inline constexpr std::chrono::hours kWholeWithin{24};

class Sweeps {
 public:
  Sweeps(const config::Push& push, JobContext& context) : push_(push), context_(context) {}

  // Reads on until at least `enough` keys wait, or a sweep has to rest. `again`: the ledger may
  // have rows that the query did not find.
  enum class Went {
    found,  // keys wait
    on,     // none yet; there is more to read at once
    rest    // nothing is left to read before the next poll
  };
  Went read_on(crm::Source& source, TimePoint db_now, std::size_t enough, bool again);
  // The poll is over: the next read_on() begins another.
  void rest() { polling_ = false; }

  // Up to `most` of the keys that wait and that the ledger does not know, in their order; the
  // others in front of them are forgotten. Keys that the last read_on() has found are not looked up
  // again; those that have waited are, since other instances may have claimed or delayed them.
  std::vector<std::string> waiting(crm::Source& source, std::size_t most);
  // These need not wait any more: the query does not return them.
  void drop(const std::vector<std::string>& keys);
  // Nor do these, which are among the first: they are claimed.
  void drop_first(const std::vector<std::string>& keys);
  // Others claim the same keys: goes on with those behind this share of the keys that wait, from 0
  // up to 1, and comes to the ones before them later.
  void go_on_behind(double share);
  // How many keys wait.
  std::size_t size() const { return keys_.size(); }
  // How many rows wait: the keys, and what the sweep that has found them will find.
  std::int64_t count(crm::Source& source);
  // The window in which they were found.
  const crm::Window& window() const { return sweep().window; }

  // Keys whose date can be read again, since the last call.
  std::vector<std::string> take_found_again() { return std::exchange(found_again_, {}); }
  // Keys of rows that are set aside and may have changed, since the last call. Sweeps over the
  // whole window tell them: at each poll they would be read again and again, outside of the budget.
  std::vector<std::string> take_mendable() { return std::exchange(mendable_, {}); }
  // To look at what was found took so long: the whole window is swept the later.
  void spend(Duration time) {
    if (last_whole_) budget_.spend(time);
  }
  // Rows without a key, as of the last sweep over the whole window.
  std::int64_t without_key() const { return without_key_; }
  // Rows that share their key with one of another date, as of that sweep.
  std::int64_t sharing() const { return sharing_; }
  // Is a sweep over the whole window under way?
  bool in_whole() const { return whole_.going; }

 private:
  struct Sweep {
    crm::Window window{};
    crm::Position at = {};
    bool going = false;
    int chunk = 0;  // rows of the next one
    std::int64_t rows = 0, found = 0, without_key = 0, sharing = 0;
  };

  Sweep& sweep() { return is_recent_ ? recent_ : whole_; }
  const Sweep& sweep() const { return is_recent_ ? recent_ : whole_; }
  void begin_poll(crm::Source& source, TimePoint db_now);
  bool choose(TimePoint db_now);
  bool may_go_on(TimePoint db_now) const;
  void begin(Sweep& sweep, TimePoint since, TimePoint until);
  void begin_whole(TimePoint db_now);
  void begin_recent(TimePoint db_now);
  void read(crm::Source& source, TimePoint db_now, bool again);
  void end_whole(TimePoint db_now);
  void store_ended(TimePoint db_now);
  TimePoint since(TimePoint db_now) const;

  const config::Push& push_;
  JobContext& context_;
  SweepBudget budget_;
  Sweep whole_, recent_;
  bool is_recent_ = false;  // which of them has found what waits
  std::deque<std::string> keys_;
  bool has_waited_ = false;  // some of them, since an earlier read_on()
  std::vector<std::string> found_again_, mendable_;
  std::int64_t without_key_ = 0, sharing_ = 0;
  bool polling_ = false, whole_begun_ = false, recent_begun_ = false;  // in this poll
  std::optional<TimePoint> last_whole_,
      last_recent_;                  // when they began; of whole sweeps that ended
  std::optional<TimePoint> before_;  // the last whole sweep of another process
  std::optional<TimePoint> told_;    // when the last sweep was stored
  // The last whole sweep. It is stored once the ledger has what it found: another process, or this
  // one after a change of columns, would not look so far back again.
  std::optional<crm::Swept> ended_;
  int looks_ = 0;
};

}  // namespace surveybridge::daemon
