#include "sandbox/faults/throttle.hpp"

#include <fmt/format.h>

namespace sandbox {
namespace {

using namespace std::chrono_literals;

// The value of Retry-After; "": none.
std::string wait_text(std::chrono::microseconds wait, TimePoint now, const std::string& form) {
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(wait);
  if (form == "seconds") return std::to_string(seconds.count());
  if (form == "decimals")
    return fmt::format("{:.3f}", static_cast<double>(wait.count()) / 1e6 + 0.0005);
  if (form == "date") return write_http_date(now + wait + 999999us);
  if (form == "absurd") return "2147483647";
  return "";
}

}  // namespace

std::vector<LimitSpec> limits_of(const Options& options) {
  std::vector<LimitSpec> all = options.limits;
  if (options.requests_per_second > 0) {
    LimitSpec bucket;
    bucket.count = std::max(1, options.burst);
    bucket.per_second = options.requests_per_second;
    all.push_back(bucket);
  }
  return all;
}

void put_rate(Headers& headers, const Limits::Verdict& verdict, TimePoint now,
              const Options& options) {
  using Kind = Options::RateHeaders;
  if (options.rate_headers == Kind::none || verdict.limit == 0) return;
  const std::string prefix = options.rate_headers == Kind::ratelimit     ? "RateLimit-"
                             : options.rate_headers == Kind::x_ratelimit ? "X-RateLimit-"
                                                                         : "X-Rate-Limit-";
  const auto reset = std::chrono::ceil<std::chrono::seconds>(verdict.reset);
  const auto since_1970 = std::chrono::ceil<std::chrono::seconds>(now.time_since_epoch()) + reset;
  const bool absolute = options.rate_headers == Kind::x_ratelimit;
  headers.emplace_back(prefix + "Limit", std::to_string(verdict.limit));
  headers.emplace_back(prefix + "Remaining", std::to_string(verdict.remaining));
  headers.emplace_back(prefix + "Reset", std::to_string((absolute ? since_1970 : reset).count()));
}

std::chrono::microseconds wait_told(std::chrono::microseconds wait, const Options& options) {
  if (options.retry_after == "none") return 0us;
  return options.retry_after == "decimals" ? wait : std::chrono::ceil<std::chrono::seconds>(wait);
}

void put_wait(Headers& headers, std::chrono::microseconds wait, TimePoint now,
              const Options& options) {
  const std::string text = wait_text(wait, now, options.retry_after);
  if (!text.empty()) headers.emplace_back("Retry-After", text);
}

}  // namespace sandbox
