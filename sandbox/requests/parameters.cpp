#include "sandbox/requests/parameters.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace sandbox {
namespace {

std::optional<std::size_t> read_index(std::string_view text) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Removes "[…]" from the front; nullopt: there is none.
std::optional<std::string_view> take_bracket(std::string_view& rest) {
  if (rest.empty() || rest.front() != '[') return std::nullopt;
  const auto end = rest.find(']');
  if (end == rest.npos) return std::nullopt;
  const std::string_view inside = rest.substr(1, end - 1);
  rest.remove_prefix(end + 1);
  return inside;
}

}  // namespace

bool Range::holds(const Instant& date) const {
  if (!asked()) return true;
  if (!date || (from && *date < *from)) return false;
  return !to || *date < *to || (*date == *to && !to_is_exclusive);
}

Parameters::Parameters(const std::vector<Parameter>& query, const Options& options,
                       Findings& findings)
    : options_(options), findings_(findings) {
  for (const Parameter& parameter : query) {
    Part part = split(parameter);
    part.used = options_.ignored.contains(part.base);
    if (!part.used) parts_.push_back(std::move(part));
  }
}

// "Base", "Base[3]", "Base.Member", "Base[Member]", "Base[3].Member", "Base[3][Member]". A form
// that the dialect does not use stays whole in `base`, so it is an unknown parameter.
Parameters::Part Parameters::split(const Parameter& parameter) const {
  const bool dots = options_.dialect.members == Dialect::Members::dot;
  Part part{parameter.name, parameter.name, "", parameter.value, std::nullopt};
  const auto end = std::min(parameter.name.find_first_of(".["), parameter.name.size());
  std::string_view rest = std::string_view(parameter.name).substr(end);
  const std::string_view base = std::string_view(parameter.name).substr(0, end);
  auto bracket = take_bracket(rest);
  if (bracket) part.index = read_index(*bracket);
  if (part.index) bracket = take_bracket(rest);
  if (bracket && !dots) part.member = *bracket;
  if (!bracket && dots && !rest.empty() && rest.front() == '.') {
    part.member = rest.substr(1);
    rest = "";
  }
  // A list inside an object of a list: its values keep their order.
  if (options_.dialect.lists == Dialect::Lists::index)
    part.member.erase(std::min(part.member.find('['), part.member.size()));
  if (rest.empty() && (!bracket || !dots)) part.base = base;
  return part;
}

void Parameters::refuse(std::string_view name, std::string message) {
  findings_.add(std::string(name), std::move(message));
}

bool Parameters::has(std::string_view name) const {
  return std::any_of(parts_.begin(), parts_.end(),
                     [&](const Part& part) { return part.base == name; });
}

Parameters::Part* Parameters::scalar(std::string_view name) {
  Part* found = nullptr;
  for (Part& part : parts_) {
    if (part.base != name || !part.member.empty() || part.index) continue;
    if (found != nullptr) refuse(name, "appears twice");
    part.used = true;
    found = &part;
  }
  return found;
}

Text Parameters::text(std::string_view name) {
  const Part* part = scalar(name);
  if (part == nullptr) return std::nullopt;
  return part->value;
}

Integer Parameters::whole(std::string_view name, const std::string& text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size()) return value;
  refuse(name, "expected an integer");
  return std::nullopt;
}

Integer Parameters::integer(std::string_view name) {
  const Part* part = scalar(name);
  if (part == nullptr) return std::nullopt;
  return whole(name, part->value);
}

std::optional<bool> Parameters::boolean(std::string_view name) {
  const Part* part = scalar(name);
  if (part == nullptr) return std::nullopt;
  if (part->value == "true") return true;
  if (part->value != "false") refuse(name, "expected true or false");
  return false;
}

Instant Parameters::date(Part& part) {
  using namespace std::chrono_literals;
  part.used = true;
  const auto read = read_date(part.value);
  if (!read) {
    refuse(part.written, "not an ISO 8601 date (a + in it must be written %2B)");
    return std::nullopt;
  }
  const TimePoint instant = read->instant(options_.style.dates.offset);
  // A date without a time ends a range with the last moment of the day.
  const bool whole_day = read->date_only && part.member == options_.dialect.to;
  return whole_day ? instant + 24h - 1us : instant;
}

Range Parameters::range(std::string_view name) {
  Range range;
  range.to_is_exclusive = options_.dialect.to_is_exclusive;
  for (Part& part : parts_) {
    if (part.base != name || part.index) continue;
    if (part.member == options_.dialect.from) range.from = date(part);
    if (part.member == options_.dialect.to) range.to = date(part);
  }
  if (range.from && range.to && *range.from > *range.to) refuse(name, "ends before it begins");
  return range;
}

void Parameters::spread(std::string_view rest, std::vector<std::string>& values) const {
  if (options_.dialect.lists != Dialect::Lists::comma) {
    values.emplace_back(rest);
    return;
  }
  for (auto at = rest.find(','); at != rest.npos; at = rest.find(',')) {
    values.emplace_back(rest.substr(0, at));
    rest.remove_prefix(at + 1);
  }
  values.emplace_back(rest);
}

std::vector<std::string> Parameters::texts(std::string_view name) {
  std::vector<std::string> values;
  const bool indexed = options_.dialect.lists == Dialect::Lists::index;
  for (Part& part : parts_) {
    if (part.base != name || !part.member.empty() || part.index.has_value() != indexed) continue;
    if (indexed && *part.index != values.size())
      refuse(part.written, "indices start at 0 and leave no gap");
    part.used = true;
    spread(part.value, values);
  }
  return values;
}

std::vector<std::int64_t> Parameters::integers(std::string_view name) {
  return integers(name, texts(name));
}

std::vector<std::int64_t> Parameters::integers(std::string_view name,
                                               const std::vector<std::string>& texts) {
  std::vector<std::int64_t> values;
  for (const std::string& text : texts) {
    if (const auto value = whole(name, text)) values.push_back(*value);
  }
  return values;
}

std::vector<FilterObject> Parameters::objects(std::string_view name,
                                              const std::set<std::string>& members) {
  std::vector<FilterObject> all;
  for (Part& part : parts_) {
    if (part.base != name || !part.index || !members.contains(part.member)) continue;
    part.used = true;
    if (*part.index == all.size()) all.emplace_back();
    if (*part.index < all.size()) {
      all[*part.index][part.member].push_back(part.value);
    } else {
      refuse(part.written, "indices start at 0 and leave no gap");
    }
  }
  return all;
}

void Parameters::refuse_rest() {
  if (!options_.strict) return;
  for (const Part& part : parts_) {
    if (!part.used) refuse(part.written, "no such parameter");
  }
}

}  // namespace sandbox
