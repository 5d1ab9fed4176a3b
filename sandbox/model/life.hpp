// What happens to a customer after it was added: invited, reminded, opened, answered, bounced, …. A
// pure function of seed, customer and batch; the time only decides how much of it has happened.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "sandbox/model/time.hpp"

namespace sandbox {

// Statuses have a code and a name; docs/SERVICE.md 3 does not say which.
enum class Status {
  imported = 1,  // waits for an operator, who does not exist here
  scheduled,
  invited,
  reminded,
  opened,
  partly_answered,
  finished,
  opted_out,
  hard_bounce,
  soft_bounce,
  fault,   // its e-mail address is not one
  locked,  // never invited
  closed,  // the survey closed before it was finished
};
constexpr Status kFirstStatus = Status::imported, kLastStatus = Status::closed;
std::string_view status_name(Status status);

enum class Step {
  imported,
  locked,
  invited,
  bounced,
  reminded,
  opened,
  partly_answered,
  reminded_partly,
  finished,
  opted_out,
  contact_taken_up,
  overtime,  // contact was requested and did not happen in time
  contact_settled,
  review_approved,
  review_rejected,
  reacted,
  second_asked,
  closed,
};

struct Event {
  TimePoint at;
  Step step;
  Status status;  // from this event on
};

struct Life {
  std::optional<TimePoint> scheduled;  // when the invitation is due
  std::vector<Event> events;           // in order; never empty
  bool contact_requested = false;
  bool reviewed = false;                // wrote a review
  std::int64_t completion_seconds = 0;  // the time that the respondent needed

  // When `step` happened, if it happened before `now`.
  std::optional<TimePoint> at(Step step, TimePoint now) const;
  Status status(TimePoint now) const;
  bool undated = false;  // neither being added nor opting out counts as activity
  std::optional<TimePoint> last_activity(TimePoint now) const;
};

struct Birth {
  std::int64_t id = 0;
  TimePoint created;
  bool approved = false;                                 // automatically; the others wait
  std::optional<TimePoint> not_before;                   // SendDate
  std::optional<std::chrono::microseconds> time_of_day;  // SendTime, UTC
  std::optional<TimePoint> closes;                       // the earlier EndDate
  bool valid_email = true;
  bool portal = false;   // not mailed
  bool undated = false;  // as in Life
};

struct Fortune {
  std::uint64_t seed = 1;
  double speed = 1;  // 1: as in reality; 0: nothing happens
  double second_feedback = 0;
};

Life live(const Birth& birth, const Fortune& fortune);

// A number in [0, 1) that depends on its arguments only.
double chance(std::uint64_t seed, std::int64_t id, std::uint64_t purpose);

}  // namespace sandbox
