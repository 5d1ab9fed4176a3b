#include "sandbox/model/life.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <date/date.h>

namespace sandbox {
namespace {

using namespace std::chrono_literals;
using std::chrono::microseconds;

// The random draws for a customer, each with a number: a new draw does not change the others.
enum Draw : std::uint64_t {
  kLocked = 1,
  kBounces,
  kBounceIsHard,
  kOptsOut,
  kOptOutDelay,
  kOpens,
  kOpenDelay,
  kOpensReminded,
  kBegins,
  kFinishes,
  kFinishesLater,
  kFillingTime,
  kReview,
  kReviewApproved,
  kReviewDelay,
  kReaction,
  kContact,
  kSecond,
  kQueue,
  kOvertime,
};

constexpr std::array<std::string_view, 13> kStatusNames = {
    "Imported", "Scheduled",  "Invited",    "Reminded", "Opened", "PartlyAnswered", "Finished",
    "OptedOut", "HardBounce", "SoftBounce", "Fault",    "Locked", "Closed"};

constexpr auto kRemindedAfter = 7 * 24h;
constexpr auto kOpenFor = 60 * 24h;  // if there is no EndDate

// Writes the events of one customer, in order. Delays are realistic; speed shortens them.
class Biographer {
 public:
  Biographer(const Birth& birth, const Fortune& fortune) : birth_(birth), fortune_(fortune) {}

  Life write() {
    life_.undated = birth_.undated;
    const Status first = birth_.approved ? Status::scheduled : Status::imported;
    note(birth_.created, Step::imported, birth_.valid_email ? first : Status::fault);
    if (birth_.valid_email && birth_.approved) begin();
    if (birth_.approved && fortune_.speed > 0) close_the_finished();
    return std::move(life_);
  }

 private:
  const Birth& birth_;
  const Fortune& fortune_;
  Life life_;

  bool happens(Draw draw, double share) const {
    return chance(fortune_.seed, birth_.id, draw) < share;
  }

  // Between `shortest` and `longest` after the last event, divided by the speed.
  TimePoint after(TimePoint start, Draw draw, microseconds shortest, microseconds longest) const {
    const double drawn = chance(fortune_.seed, birth_.id, draw);
    const double length = static_cast<double>((longest - shortest).count()) * drawn;
    return start + shortened(shortest + microseconds(std::llround(length)));
  }

  microseconds shortened(microseconds length) const {
    return microseconds(std::llround(static_cast<double>(length.count()) / fortune_.speed));
  }

  Status status() const { return life_.events.back().status; }
  TimePoint last() const { return life_.events.back().at; }

  // Events keep their order at every speed: they are at least a microsecond apart.
  TimePoint note(TimePoint at, Step step, Status then) {
    if (!life_.events.empty()) at = std::max(at, last() + 1us);
    life_.events.push_back({at, step, then});
    return at;
  }

  TimePoint closing() const { return birth_.closes.value_or(birth_.created + shortened(kOpenFor)); }

  void begin() {
    if (!birth_.portal) life_.scheduled = due();
    if (fortune_.speed <= 0) return;
    if (birth_.portal) return open(after(last(), kOpenDelay, 10min, 72h));
    if (happens(kLocked, 0.01)) return void(note(last(), Step::locked, Status::locked));
    const TimePoint sent = after(*life_.scheduled, kQueue, 1min, 30min);
    if (sent < closing()) return invite(sent);
    close();
  }

  // Rule 5 of docs/SERVICE.md 4.1: not before the SendDate, nor before the time of day of the
  // batch.
  TimePoint due() const {
    const TimePoint start = std::max(last(), birth_.not_before.value_or(last()));
    if (!birth_.time_of_day) return start;
    const TimePoint midnight = date::floor<date::days>(start);
    return std::max(start, midnight + *birth_.time_of_day);
  }

  void invite(TimePoint at) {
    const TimePoint invited = note(at, Step::invited, Status::invited);
    if (happens(kBounces, 0.04)) return bounce(invited);
    if (happens(kOptsOut, 0.03)) return opt_out(after(invited, kOptOutDelay, 1h, 240h));
    const TimePoint reminder = invited + shortened(kRemindedAfter);
    if (happens(kOpens, 0.6)) return open(after(invited, kOpenDelay, 10min, kRemindedAfter - 1h));
    if (reminder >= closing()) return close();
    note(reminder, Step::reminded, Status::reminded);
    if (happens(kOpensReminded, 0.4)) return open(after(last(), kOpenDelay, 10min, 240h));
    close();
  }

  void bounce(TimePoint invited) {
    const bool hard = happens(kBounceIsHard, 0.6);
    const Status then = hard ? Status::hard_bounce : Status::soft_bounce;
    note(after(invited, kQueue, 1s, 1h), Step::bounced, then);
    const TimePoint reminder = invited + shortened(kRemindedAfter);
    if (!hard && reminder < closing()) note(reminder, Step::reminded, then);
  }

  void opt_out(TimePoint at) { note(at, Step::opted_out, Status::opted_out); }

  void open(TimePoint at) {
    if (at >= closing()) return close();
    const TimePoint opened = note(at, Step::opened, Status::opened);
    if (!happens(kBegins, 0.85)) return close();
    const TimePoint full = after(opened, kFillingTime, 90s, 20min);
    if (full >= closing()) return close();
    if (happens(kFinishes, 0.8)) return finish(opened, full);
    note(opened + (full - opened) / 2, Step::partly_answered, Status::partly_answered);
    const TimePoint reminder = last() + shortened(72h);
    if (reminder >= closing()) return close();
    note(reminder, Step::reminded_partly, Status::partly_answered);
    const TimePoint later = last() + shortened(24h);
    if (happens(kFinishesLater, 0.4) && later < closing()) return finish(opened, later);
    close();
  }

  void finish(TimePoint opened, TimePoint at) {
    const TimePoint finished = note(at, Step::finished, Status::finished);
    const auto taken = static_cast<double>((finished - opened).count()) * fortune_.speed / 1e6;
    life_.completion_seconds = std::max<std::int64_t>(1, std::llround(taken));
    std::vector<Event> later;
    review(finished, later);
    contact(finished, later);
    if (happens(kSecond, fortune_.second_feedback)) {
      later.push_back({finished + shortened(14 * 24h), Step::second_asked, Status::finished});
    }
    std::stable_sort(later.begin(), later.end(),
                     [](const Event& a, const Event& b) { return a.at < b.at; });
    for (const Event& event : later)
      note(event.at, event.step, event.status);
  }

  void review(TimePoint finished, std::vector<Event>& later) {
    life_.reviewed = happens(kReview, 0.5);
    if (!life_.reviewed) return;
    const TimePoint judged = after(finished, kReviewDelay, 1h, 72h);
    const bool approved = happens(kReviewApproved, 0.8);
    later.push_back(
        {judged, approved ? Step::review_approved : Step::review_rejected, Status::finished});
    if (approved && happens(kReaction, 0.3)) {
      later.push_back({judged + shortened(30h), Step::reacted, Status::finished});
    }
  }

  void contact(TimePoint finished, std::vector<Event>& later) {
    life_.contact_requested = happens(kContact, 0.15);
    if (!life_.contact_requested) return;
    later.push_back({finished + shortened(5h), Step::contact_taken_up, Status::finished});
    if (happens(kOvertime, 0.3)) {
      later.push_back({finished + shortened(48h), Step::overtime, Status::finished});
    }
    later.push_back({finished + shortened(50h), Step::contact_settled, Status::finished});
  }

  void close() { note(closing(), Step::closed, Status::closed); }

  // The batch closes for finished customers too; their status stays.
  void close_the_finished() {
    auto& events = life_.events;
    const auto closed = [](const Event& event) { return event.step == Step::closed; };
    if (std::any_of(events.begin(), events.end(), closed)) return;
    const TimePoint at = std::max(closing(), events.front().at + 1us);
    auto later = std::find_if(events.begin(), events.end(),
                              [&](const Event& event) { return event.at >= at; });
    later = events.insert(later, {at, Step::closed, std::prev(later)->status});
    for (++later; later != events.end(); ++later) {
      later->at = std::max(later->at, std::prev(later)->at + 1us);
    }
  }
};

}  // namespace

std::string_view status_name(Status status) {
  return kStatusNames[static_cast<std::size_t>(status) - 1];
}

double chance(std::uint64_t seed, std::int64_t id, std::uint64_t purpose) {
  // splitmix64's last steps over the three arguments, each multiplied by an odd constant.
  std::uint64_t x = seed * 0x9E3779B97F4A7C15u +
                    static_cast<std::uint64_t>(id) * 0xD1B54A32D192ED03u +
                    purpose * 0x8CB92BA72F3D8DD7u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  x ^= x >> 31;
  return static_cast<double>(x >> 11) * 0x1.0p-53;
}

std::optional<TimePoint> Life::at(Step step, TimePoint now) const {
  for (const Event& event : events) {
    if (event.at > now) break;
    if (event.step == step) return event.at;
  }
  return std::nullopt;
}

Status Life::status(TimePoint now) const {
  Status status = events.front().status;
  for (const Event& event : events) {
    if (event.at <= now) status = event.status;
  }
  return status;
}

std::optional<TimePoint> Life::last_activity(TimePoint now) const {
  const auto counts = [&](Step step) {
    return !undated || (step != Step::imported && step != Step::opted_out);
  };
  std::optional<TimePoint> last;
  for (const Event& event : events) {
    if (event.at <= now && counts(event.step)) last = event.at;
  }
  return last;
}

Life live(const Birth& birth, const Fortune& fortune) {
  return Biographer(birth, fortune).write();
}

}  // namespace sandbox
