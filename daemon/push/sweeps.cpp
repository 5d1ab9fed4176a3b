#include "daemon/push/sweeps.hpp"

#include <algorithm>
#include <set>

#include "connectors/crm/daemon_state/sweep_store.hpp"
#include "daemon/context/push_window.hpp"
#include "daemon/suppress/brake.hpp"
#include "mapping/field_map/constant.hpp"

namespace surveybridge::daemon {

namespace {

// Rows of a chunk. It doubles with each chunk: the first rows are found soon, and the cost of a
// statement is shared by many rows, also where no index serves the window.
constexpr int kChunkMax = 20'000;
constexpr Duration kTold = std::chrono::minutes{10};
// Then the step ends, so that a stop does not wait.
constexpr Duration kStep = std::chrono::seconds{1};

int first_chunk(const config::Push& push) {
  return static_cast<int>(push.batch.size) * 2;
}

}  // namespace

void Sweeps::begin(Sweep& sweep, TimePoint since, TimePoint until) {
  sweep = {{std::min(since, until), until}, {}, true, first_chunk(push_), 0, 0, 0};
}

// From the window's start as the last sweep saw it, of this process or of one before: otherwise a
// row that appeared behind that sweep, and leaves the window before this one begins, would never be
// met.
void Sweeps::begin_whole(TimePoint db_now) {
  if (!last_whole_) before_ = crm::swept_or_met(context_.database(), push_.name);
  begin(whole_, since(db_now), db_now);
  whole_begun_ = true;
}

TimePoint Sweeps::since(TimePoint db_now) const {
  return found_since(push_, context_.settings().crm.time_zone, last_whole_ ? last_whole_ : before_,
                     db_now);
}

void Sweeps::begin_recent(TimePoint db_now) {
  const Duration length = std::max<Duration>(kRecent, 2 * push_.every);
  const TimePoint last = std::min(last_recent_.value_or(db_now), db_now);
  begin(recent_, std::max(last - length, since(db_now)), db_now);
  recent_begun_ = true;
}

void Sweeps::begin_poll(crm::Source& source, TimePoint db_now) {
  source.columns();
  if (looks_ != source.looks()) {  // the positions may have another type
    whole_ = recent_ = {};
    if (!keys_.empty()) last_whole_.reset();  // what it has found is found again
    keys_.clear();
    ended_.reset();
    looks_ = source.looks();
    polling_ = false;  // nothing of this poll is left
  }
  if (polling_) return;
  whole_begun_ = recent_begun_ = false;
  if (!whole_.going) begin_whole(db_now);
  polling_ = true;
}

bool Sweeps::may_go_on(TimePoint db_now) const {
  if (!whole_.going) return false;
  const bool first = !last_whole_;
  const bool late = db_now - whole_.window.until >= kWholeWithin;
  return context_.once() || first || late || budget_.allows();
}

// Which sweep goes on. False: none does before the next poll.
bool Sweeps::choose(TimePoint db_now) {
  if (keys_.empty() && !recent_.going) is_recent_ = false;
  if (is_recent_) return recent_.going;
  // `sync` is done when a whole sweep has found nothing.
  const bool again = context_.once() && !whole_.going && whole_.found > 0 && keys_.empty();
  if (again) begin_whole(db_now);
  if (may_go_on(db_now)) return true;
  // A sweep over the whole window that began and ended in this poll has met the recent part.
  const bool met = whole_begun_ && !whole_.going;
  if (!keys_.empty() || recent_begun_ || met) return false;
  begin_recent(db_now);
  return is_recent_ = true;
}

Sweeps::Went Sweeps::read_on(crm::Source& source, TimePoint db_now, std::size_t enough,
                             bool again) {
  begin_poll(source, db_now);
  store_ended(db_now);
  has_waited_ = !keys_.empty();
  const Duration begun = context_.environment().uptime();
  budget_.reach(begun);
  while (keys_.size() < enough && choose(db_now)) {
    if (context_.environment().uptime() - begun > kStep)
      return keys_.empty() ? Went::on : Went::found;
    read(source, db_now, again);
  }
  return keys_.empty() ? Went::rest : Went::found;
}

void Sweeps::read(crm::Source& source, TimePoint db_now, bool again) {
  Sweep& sweep = this->sweep();
  const Duration begun = context_.environment().uptime();
  crm::Chunk chunk = source.chunk(sweep.window, sweep.at, sweep.chunk, again);
  const Duration lasted = context_.environment().uptime() - begun;
  if (!is_recent_ && last_whole_) {
    const auto known = std::max<std::int64_t>(1, chunk.rows - chunk.unknown);
    budget_.spend(lasted * known / std::max<std::int64_t>(1, chunk.rows));
  }
  sweep.at = std::move(chunk.next);
  sweep.going = !chunk.end;
  sweep.chunk = std::min(kChunkMax, sweep.chunk * 2);
  sweep.rows += chunk.rows;
  sweep.found += chunk.unknown;
  sweep.without_key += chunk.without_key;
  sweep.sharing += chunk.sharing;
  keys_.insert(keys_.end(), chunk.keys.begin(), chunk.keys.end());
  found_again_.insert(found_again_.end(), chunk.found_again.begin(), chunk.found_again.end());
  if (!is_recent_) mendable_.insert(mendable_.end(), chunk.mendable.begin(), chunk.mendable.end());
  if (is_recent_) {
    if (!sweep.going) last_recent_ = sweep.window.until;
  } else if (!sweep.going) {
    end_whole(db_now);
  } else {
    without_key_ = std::max(without_key_, sweep.without_key);
    sharing_ = std::max(sharing_, sweep.sharing);
  }
}

void Sweeps::end_whole(TimePoint db_now) {
  without_key_ = whole_.without_key;
  sharing_ = whole_.sharing;
  const auto before = std::exchange(last_whole_, whole_.window.until);
  std::optional<std::int64_t> within;
  if (before) within = std::chrono::ceil<std::chrono::seconds>(db_now - *before).count();
  ended_ = crm::Swept{push_.name, whole_.window.until, db_now, whole_.rows, within};
  store_ended(db_now);
}

// A small window is swept at each poll: that is not stored each time.
void Sweeps::store_ended(TimePoint db_now) {
  if (!ended_ || !keys_.empty()) return;
  if (told_ && ended_->within && db_now >= *told_ && db_now < *told_ + kTold) return;
  // Until the brake has let a changed query go, the last sweep of the one before counts
  // (brake.cpp).
  if (has_changed_query(push_, context_)) return;
  crm::store_sweep(context_.database(), *ended_);
  ended_.reset();
  told_ = db_now;
}

std::vector<std::string> Sweeps::waiting(crm::Source& source, std::size_t most) {
  if (!has_waited_) {
    const auto number = static_cast<std::ptrdiff_t>(std::min(most, keys_.size()));
    return {keys_.begin(), keys_.begin() + number};
  }
  std::vector<std::string> others;
  while (others.size() < most && others.size() < keys_.size()) {
    const auto begin = keys_.begin() + static_cast<std::ptrdiff_t>(others.size());
    const std::size_t some = std::min(most - others.size(), keys_.size() - others.size());
    const auto end = begin + static_cast<std::ptrdiff_t>(some);
    const auto unknown = source.unknown({begin, end});
    std::copy(unknown.begin(), unknown.end(), begin);
    keys_.erase(begin + static_cast<std::ptrdiff_t>(unknown.size()), end);
    others.insert(others.end(), unknown.begin(), unknown.end());
  }
  return others;
}

void Sweeps::drop(const std::vector<std::string>& keys) {
  for (const auto& key : keys) {
    const auto found = std::ranges::find(keys_, key);
    if (found != keys_.end()) keys_.erase(found);
  }
}

void Sweeps::drop_first(const std::vector<std::string>& keys) {
  const std::set<std::string> claimed(keys.begin(), keys.end());
  // Beside them are rows that cannot be sent now (SpareRows).
  const std::size_t among = std::min(keys_.size(), 2 * keys.size());
  const auto end = keys_.begin() + static_cast<std::ptrdiff_t>(among);
  const auto is_claimed = [&](const std::string& key) { return claimed.contains(key); };
  keys_.erase(std::remove_if(keys_.begin(), end, is_claimed), end);
}

void Sweeps::go_on_behind(double share) {
  const auto skipped = static_cast<std::ptrdiff_t>(share * static_cast<double>(keys_.size()));
  std::rotate(keys_.begin(), keys_.begin() + skipped, keys_.end());
}

std::int64_t Sweeps::count(crm::Source& source) {
  const Duration begun = context_.environment().uptime();
  const auto unknown = source.unknown({keys_.begin(), keys_.end()});  // some were just quarantined
  keys_.assign(unknown.begin(), unknown.end());
  auto rows = static_cast<std::int64_t>(keys_.size());
  if (sweep().going) rows += source.count_from(sweep().window, sweep().at);
  if (!is_recent_ && last_whole_) budget_.spend(context_.environment().uptime() - begun);
  return rows;
}

}  // namespace surveybridge::daemon
