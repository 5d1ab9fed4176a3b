#include <charconv>

#include "sandbox/limits/limit.hpp"

namespace sandbox {
namespace {

using Kind = LimitSpec::Kind;

// Removes `prefix` from the front of `text`.
bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

template <typename Number>
bool take_number(std::string_view& text, Number& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  // Also refuses nan and inf, which from_chars reads.
  constexpr Number kMost = 1000000000;
  if (error != std::errc() || !(value > 0 && value <= kMost)) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

bool read_bucket(std::string_view& text, LimitSpec& spec) {
  spec.kind = Kind::token_bucket;
  if (!take_number(text, spec.per_second) || !take(text, "/s")) return false;
  return !take(text, ":burst=") || take_number(text, spec.count);
}

bool read_window(std::string_view& text, LimitSpec& spec, std::chrono::microseconds window) {
  spec.kind = Kind::fixed_window;
  spec.window = window;
  return take_number(text, spec.count);
}

bool read_sliding(std::string_view& text, LimitSpec& spec) {
  spec.kind = Kind::sliding_window;
  if (!take_number(text, spec.count) || !take(text, "/")) return false;
  const auto window = read_duration(text);
  if (!window || window->count() <= 0) return false;
  spec.window = *window;
  text = "";
  return true;
}

bool read_kind(std::string_view& text, LimitSpec& spec) {
  using namespace std::chrono_literals;
  if (take(text, "bucket:")) return read_bucket(text, spec);
  if (take(text, "minute:")) return read_window(text, spec, 1min);
  if (take(text, "day:")) return read_window(text, spec, 24h);
  if (take(text, "sliding:")) return read_sliding(text, spec);
  spec.kind = Kind::concurrency;
  return take(text, "concurrent:") && take_number(text, spec.count);
}

}  // namespace

std::optional<LimitSpec> read_limit(std::string_view text) {
  LimitSpec spec;
  if (take(text, "read:")) spec.applies = LimitSpec::Applies::reads;
  if (take(text, "write:")) spec.applies = LimitSpec::Applies::writes;
  if (!read_kind(text, spec) || !text.empty()) return std::nullopt;
  return spec;
}

}  // namespace sandbox
