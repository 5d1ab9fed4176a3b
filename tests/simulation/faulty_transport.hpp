// The network between the bridge and the service: exchanges that are lost, cut off, late, refused
// or answered wrongly. Has random numbers of its own; after calm() it makes no more faults.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "tests/in_process/virtual_world.hpp"
#include "tests/simulation/control.hpp"
#include "tests/simulation/draw.hpp"

namespace simulation {

// Is this customer listed in a form that cannot be read?
bool is_bad(const Drawn& drawn, const std::string& customer_id);
// Is each page of a walk that would hold this customer answered 500?
bool is_poisoned(const Drawn& drawn, const std::string& customer_id);
// Does this customer change the score while there are faults?
bool changes_score(const Drawn& drawn, const std::string& customer_id);

class FaultyTransport {
 public:
  FaultyTransport(const Drawn& drawn, Broken broken, const in_process::TurnedClock& clock,
                  std::uint64_t seed)
      : drawn_(drawn), broken_(broken), clock_(clock), random_(seed) {}

  in_process::OnExchange exchange();
  // Delivers the late requests that are due.
  void deliver_late();
  TimePoint next_late() const;
  void calm() { calm_ = true; }
  int faults() const { return faults_; }
  int lies() const { return lies_; }
  // Until then a search finds nothing; whether a search asks for a key that is known to be sent is
  // what `is_known` says of the key.
  void blind(TimePoint until) { blind_until_ = until; }
  // Until then the service answers nothing, and keeps the adds that it gets until later.
  void freeze(TimePoint until) { frozen_until_ = until; }
  TimePoint frozen_until() const { return frozen_until_; }
  void tell_known(std::function<bool(const std::string& key)> is_known) {
    is_known_ = std::move(is_known);
  }

 private:
  using Exchange = surveybridge::service::Exchange;
  using Send = std::function<Exchange()>;
  Exchange pass(const surveybridge::service::Request& request, const Send& send);
  Exchange go_wrong(const surveybridge::service::Request& request, const Send& send);
  Exchange lost_after(const surveybridge::service::Request& request, const Send& send);
  Exchange too_many();
  Exchange later(const surveybridge::service::Request& request, const Send& send);
  Exchange lie(const Send& send);
  Exchange refuse(const surveybridge::service::Request& request, const Send& send);
  Exchange lie_about_list(const surveybridge::service::Request& request, const Send& send);
  bool is_blind(const surveybridge::service::Request& request) const;
  Exchange show(const surveybridge::service::Request& request, Exchange exchange);
  std::optional<std::string> changed_page(const std::string& body) const;
  bool are_scores_turned() const;
  Exchange refuse_poison(const std::string& body) const;

  struct Late {
    TimePoint at;
    Send send;
  };
  const Drawn& drawn_;
  Broken broken_;
  const in_process::TurnedClock& clock_;
  Random random_;
  std::vector<Late> late_;
  std::unordered_map<std::string, std::optional<std::string>> shown_;
  bool shown_turned_ = false;  // whether they show turned scores
  bool calm_ = false;
  TimePoint blind_until_{}, frozen_until_{};
  std::function<bool(const std::string&)> is_known_;
  int faults_ = 0, lies_ = 0;
};

}  // namespace simulation
