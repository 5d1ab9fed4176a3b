#include "daemon/pace/patience.hpp"

#include "daemon/fault.hpp"
#include "daemon/pace/backoff.hpp"

namespace surveybridge::daemon {

void Patience::well(const std::string& still) {
  failures_ = 0;
  say(still.empty() ? Standing::Fault::none : Standing::Fault::person, still);
  standing_.goes_on = true;
}

void Patience::say(Standing::Fault fault, const std::string& trouble) {
  standing_.fault = fault;
  standing_.trouble = trouble;
  standing_.goes_on = false;
  if (trouble.empty()) return complaint_.over();
  complaint_.meet(level_of(fault), trouble);
}

TimePoint Patience::wait(TimePoint now, Duration floor) {
  if (floor > Duration{0}) pace_.hold(floor);
  return now + backoff(++failures_, chance_.unit(), floor);
}

TimePoint Patience::bear(const Retry& retry, const service::Trouble& trouble, TimePoint now,
                         const std::string& what) {
  const std::string text = what + to_string(trouble.kind) + ": " + trouble.detail;
  if (retry.then == Retry::Then::stand_still) return stand_still(retry.fault, text);
  say(retry.fault, text);
  return wait(now, trouble.wait.value_or(service::Wait{0}));
}

TimePoint Patience::stand_still(Standing::Fault fault, const std::string& trouble) {
  stands_still_ = true;
  say(fault, trouble + "; stands still until the daemon is restarted");
  return kNever;
}

}  // namespace surveybridge::daemon
