#include "sandbox/model/limit.hpp"

#include <algorithm>
#include <cmath>
#include <regex>
#include <string>

namespace sandbox {
namespace {

using namespace std::chrono_literals;
using std::chrono::microseconds;

bool applies(const LimitSpec& spec, bool write) {
  if (spec.applies == LimitSpec::Applies::all) return true;
  return write == (spec.applies == LimitSpec::Applies::writes);
}

}  // namespace

std::optional<LimitSpec> read_limit(std::string_view text) {
  using Kind = LimitSpec::Kind;
  static const std::regex kForm(
      R"((?:(read|write):)?(?:bucket:(\d{1,9}(?:\.\d{1,9})?)/s(?::burst=(\d{1,9}))?|)"
      R"((minute|day|concurrent|sliding):(\d{1,9})(?:/(\w+))?))");
  std::match_results<std::string_view::const_iterator> found;
  if (!std::regex_match(text.begin(), text.end(), found, kForm)) return std::nullopt;
  LimitSpec spec;
  if (found[1].matched)
    spec.applies = found[1] == "read" ? LimitSpec::Applies::reads : LimitSpec::Applies::writes;
  const auto count = found[5].matched ? found.str(5) : found.str(3);
  if (!count.empty()) spec.count = std::stoll(count);
  const std::string kind = found.str(4);
  if (kind.empty()) {
    spec.per_second = std::stod(found.str(2));
  } else {
    spec.kind = kind == "concurrent" ? Kind::concurrency
                : kind == "sliding"  ? Kind::sliding_window
                                     : Kind::fixed_window;
  }
  if (kind == "day") spec.window = std::chrono::hours(24);
  if (kind == "sliding") spec.window = read_duration(found.str(6)).value_or(0us);
  const bool right = spec.count > 0 && spec.per_second > 0 && spec.window > 0us &&
                     found[6].matched == (kind == "sliding");
  return right ? std::optional(spec) : std::nullopt;
}

// Refills a bucket; drops the requests that no longer count.
void Limit::turn(TimePoint now) {
  // Rounding by a microsecond must not make a bucket of exactly one token empty.
  constexpr double kRounding = 1e-6;
  if (is_bucket() && refilled_ && now > *refilled_) {
    const double gained = static_cast<double>((now - *refilled_).count()) / 1e6 * spec_.per_second;
    tokens_ = std::min(static_cast<double>(spec_.count), tokens_ + gained);
    if (std::ceil(tokens_) - tokens_ < kRounding) tokens_ = std::ceil(tokens_);
  }
  refilled_ = std::max(refilled_.value_or(now), now);
  while (!ends_.empty() && ends_.front() <= now)
    ends_.pop_front();
}

microseconds Limit::wait(TimePoint now) {
  turn(now);
  if (is_bucket() && tokens_ >= 1) return 0us;
  if (is_bucket()) {
    const double length = std::ceil((1 - tokens_) / spec_.per_second * 1e6);
    return microseconds(std::max<std::int64_t>(1, std::llround(length)));
  }
  if (static_cast<std::int64_t>(ends_.size()) < spec_.count) return 0us;
  // The end of another request is unknown; services usually answer one second.
  return spec_.kind == LimitSpec::Kind::concurrency ? 1s : ends_.front() - now;
}

void Limit::take(TimePoint now) {
  turn(now);
  switch (spec_.kind) {
    case LimitSpec::Kind::token_bucket:
      tokens_ -= 1;
      break;
    case LimitSpec::Kind::fixed_window:
      // Windows begin at the full minute or at midnight UTC, not at the first request.
      ends_.push_back(now - now.time_since_epoch() % spec_.window + spec_.window);
      break;
    case LimitSpec::Kind::sliding_window:
      ends_.push_back(now + spec_.window);
      break;
    case LimitSpec::Kind::concurrency:
      ends_.push_back(TimePoint::max());
  }
}

void Limit::finish() {
  if (spec_.kind == LimitSpec::Kind::concurrency) ends_.pop_back();
}

std::int64_t Limit::remaining(TimePoint now) {
  turn(now);
  if (is_bucket()) return static_cast<std::int64_t>(tokens_);
  return spec_.count - static_cast<std::int64_t>(ends_.size());
}

microseconds Limit::reset(TimePoint now) {
  turn(now);
  if (is_bucket()) {
    const double missing = static_cast<double>(spec_.count) - tokens_;
    return microseconds(std::llround(missing / spec_.per_second * 1e6));
  }
  if (ends_.empty()) return 0us;
  return spec_.kind == LimitSpec::Kind::concurrency ? 1s : ends_.back() - now;
}

Limits::Limits(const std::vector<LimitSpec>& specs) {
  for (const LimitSpec& spec : specs)
    entries_.push_back({spec, Limit(spec)});
}

Limits::Verdict Limits::ask(bool write, TimePoint now) {
  Verdict verdict;
  for (Entry& entry : entries_) {
    if (applies(entry.spec, write)) verdict.wait = std::max(verdict.wait, entry.limit.wait(now));
  }
  verdict.allowed = verdict.wait == 0us;
  for (Entry& entry : entries_) {
    if (!applies(entry.spec, write)) continue;
    if (verdict.allowed) entry.limit.take(now);
    const std::int64_t left = entry.limit.remaining(now);
    if (verdict.limit != 0 && left >= verdict.remaining) continue;
    verdict.limit = entry.spec.count;
    verdict.remaining = left;
    verdict.reset = entry.limit.reset(now);
  }
  return verdict;
}

void Limits::finish(bool write) {
  for (Entry& entry : entries_) {
    if (applies(entry.spec, write)) entry.limit.finish();
  }
}

}  // namespace sandbox
