// Whether reading and writing have a common limit or separate ones, judged from refusals.
// With a common limit all refusals come at one total rate, whatever the mix. With
// separate limits the total at a refusal is lower when the refused class has a larger
// share. Pure.
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
  // The first refusal of several at one moment. `wait`: what it asked for.
  void refused(TimePoint now, RequestClass request_class, Duration wait);

  Verdict verdict() const;
  // The rate at which this class alone was refused; 0: never.
  double own_edge(RequestClass request_class) const;
  // The present rate of accepted requests of a class.
  double per_second(TimePoint now, RequestClass request_class) const;
  // How many writes may go before a waiting read: another number after each refusal, because only
  // different mixes give evidence.
  int writes_in_a_row() const;
  // Drops the evidence; a new question begins.
  void begin_again() { events_.clear(); }

 private:
  struct Event {
    RequestClass request_class;
    double total, share;          // requests a second of the time; of the refused class
    double lately, lately_share;  // the same for the last seconds
  };
  // Since the first acceptance after the last refusal of a class.
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
