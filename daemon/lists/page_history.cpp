#include "daemon/lists/page_history.hpp"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "mapping/tables/tables.hpp"

namespace surveybridge::daemon {

namespace {

// The longer it lasts, the longer are the waits between two readings.
constexpr Duration kFirstWait = std::chrono::seconds{30};

std::size_t hash(std::string_view text) {
  return std::hash<std::string_view>{}(text);
}

// Of the keys of its records, in their order.
std::size_t content_of(const mapping::Page& page) {
  std::string keys;
  for (const auto& record : page.records) {
    const auto key = mapping::key_of(record);
    if (const auto* number = std::get_if<std::int64_t>(&key)) keys += std::to_string(*number);
    if (const auto* text = std::get_if<std::string>(&key)) keys += *text;
    keys += '\n';
  }
  for (const auto& each : page.unreadable)
    keys += each.raw + '\n';
  return hash(keys);
}

}  // namespace

PageHistory::Next PageHistory::take(std::string_view cursor, const mapping::Page& page) {
  cursors_.insert(hash(cursor));
  next_bytes_ = page.next_cursor.size();
  const bool empty = page.records.empty() && page.unreadable.empty();
  const bool repeated = !empty && !contents_.insert(content_of(page)).second;
  const bool brings_nothing = empty || repeated;
  empty_ = brings_nothing ? empty_ + (empty ? 1 : 0) : 0;
  repeated_ = brings_nothing ? repeated_ + (repeated ? 1 : 0) : 0;
  if (page.next_cursor.empty()) return comes_again_ && lost_ ? Next::begin_again : Next::end;
  if (next_bytes_ > kCursorBytesMax) return Next::unusable;
  comes_again_ = comes_again_ || cursors_.contains(hash(page.next_cursor));
  if (comes_again_ && lost_) return Next::begin_again;
  return empty_ >= kEmptyMax || repeated_ >= kRepeatedMax ? Next::endless : Next::page;
}

std::string PageHistory::why() const {
  if (next_bytes_ > kCursorBytesMax)
    return fmt::format("the next cursor has {} bytes, more than {}", next_bytes_, kCursorBytesMax);
  if (comes_again_ && lost_) return "a cursor came again, and a page of it may have been lost";
  if (empty_ >= kEmptyMax)
    return fmt::format("the list does not end: {} pages after the last new record are empty",
                       empty_);
  return fmt::format("the list does not end: {} pages after the last new record show others again",
                     repeated_);
}

bool BareEnd::is_believed(const Place& place, TimePoint now) {
  const auto [of_part, is_new] = met_.try_emplace({place.from, place.to}, Met{place.pages, now});
  Met& met = of_part->second;
  const bool is_elsewhere = met.pages != place.pages;
  if (is_elsewhere || !met.since || now < *met.since) met = {place.pages, now};
  const Duration lasted = now - *met.since;
  if (lasted >= kApart) {
    tries_ = 0;
    return true;
  }
  if ((is_new || is_elsewhere) && place.pages > 0) ++tries_;
  wait_ = std::min<Duration>(kApart - lasted, std::max(kFirstWait, lasted));
  return false;
}

// A part that ends by its cursor before that place does not end without a list either.
void BareEnd::passed(const Place& place, bool is_last) {
  const auto of_part = met_.find({place.from, place.to});
  if (of_part == met_.end()) return;
  Met& met = of_part->second;
  if (is_last || met.pages <= place.pages) met.since.reset();
}

}  // namespace surveybridge::daemon
