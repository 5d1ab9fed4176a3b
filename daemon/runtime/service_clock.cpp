#include "daemon/runtime/service_clock.hpp"

#include <utility>

#include <fmt/format.h>

#include "connectors/service/retry_after.hpp"
#include "daemon/runtime/real_environment.hpp"

namespace surveybridge::daemon {

namespace {

constexpr Duration kDiffer = std::chrono::minutes{1}, kAgree = std::chrono::seconds{5};

}  // namespace

Duration clock_difference(TimePoint clock, TimePoint before, TimePoint after) {
  if (clock > after) return clock - after;
  const TimePoint earliest = std::chrono::floor<std::chrono::seconds>(before);
  return clock < earliest ? clock - earliest : Duration{0};
}

service::Exchange ClockTransport::send(const service::Request& request) {
  const TimePoint before = system_now();
  auto exchange = inner_->send(request);
  const auto* response = std::get_if<service::Response>(&exchange);
  if (response == nullptr || !request.url.starts_with(base_url_)) return exchange;
  if (const auto date = service::read_http_date(response->header("date")))
    heard_(clock_difference(*date, before, system_now()));
  return exchange;
}

OpenTransport ServiceClock::watched(OpenTransport open, const std::string& base_url) {
  return [this, open = std::move(open), base_url] {
    return std::make_unique<ClockTransport>(open(), base_url,
                                            [this](Duration ahead) { heard(ahead); });
  };
}

void ServiceClock::heard(Duration ahead) {
  const Duration difference = std::chrono::abs(ahead);
  const std::lock_guard lock(mutex_);
  if (difference <= kAgree && std::exchange(differs_, false))
    log_.info("the service's clock agrees with this machine's again", {});
  if (difference < kDiffer || std::exchange(differs_, true)) return;
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(difference).count();
  log_.warn(
      ahead > Duration{0}
          ? fmt::format("the service's clock is {} s ahead of this machine's: what happens there is"
                        " read so much later",
                        seconds)
          : fmt::format("the service's clock is {} s behind this machine's: what happens there is"
                        " read only if `overlap` is longer",
                        seconds),
      {});
}

}  // namespace surveybridge::daemon
