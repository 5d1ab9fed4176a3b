// Whether a service counts reading and writing together or apart: told from its refusals. Where
// both are counted together they all come at one total, whoever had how much of it; where they are
// counted apart the total at a refusal is the smaller, the more of it was of the refused kind.
// Pure.
#pragma once

#include <array>
#include <deque>
#include <optional>

#include "daemon/job/job.hpp"

namespace surveybridge::daemon {

// What a request does to the service.
enum class RequestClass { write, read };
inline constexpr std::size_t kRequestClasses = 2;

class RequestClassEvidence {
 public:
  enum class Verdict { open, together, apart };

  void accepted(TimePoint now, RequestClass request_class);
  // The first refusal of several of one moment. `wait`: what it asked for.
  void refused(TimePoint now, RequestClass request_class, Duration wait);

  Verdict verdict() const;
  // Requests a second at which a lane was refused, by itself; 0: it never was.
  double own_edge(RequestClass request_class) const;
  // How many are let in at the moment, of a lane.
  double per_second(TimePoint now, RequestClass request_class) const;
  // How many writes may go before a read that waits: another number after each refusal, since only
  // different mixes can tell.
  int writes_in_a_row() const;
  // Forgets what it has seen; what is known from now on is another question.
  void begin_again() { events_.clear(); }

 private:
  struct Event {
    RequestClass request_class;
    double total, share;          // requests a second of the stretch; of the refused lane
    double lately, lately_share;  // the same of the last seconds
  };
  // Since the first that was let in after a lane's last refusal: what its limit was spent on.
  struct Stretch {
    std::optional<TimePoint> since;
    double own = 0, total = 0;
  };
  struct Flow {
    double per_second = 0;
    TimePoint at{};
  };
  Verdict by_mix(RequestClass request_class) const;
  bool by_turns() const;

  std::array<Flow, kRequestClasses> flows_;
  std::array<Stretch, kRequestClasses> stretches_;
  std::deque<Event> events_;  // the latest last
  int count_ = 0;
};

}  // namespace surveybridge::daemon
