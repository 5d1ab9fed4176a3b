#include "daemon/lists/filter_check.hpp"

#include <algorithm>
#include <map>

#include "mapping/values/text.hpp"

namespace surveybridge::daemon {
namespace {

using mapping::Instant;
using mapping::Record;
using mapping::same_name;
using service::Argument;
using service::Parameter;
using service::Scalars;

// The value at "Status.StatusCode"; nullptr if the description or the record has none.
const mapping::Value* value_at(const Record& record, std::string_view path) {
  const auto dot = path.find('.');
  const std::string_view name = path.substr(0, dot);
  if (record.resource->find(name) == nullptr) return nullptr;
  const auto& slot = record.at(name);
  if (dot == path.npos) return mapping::is_null(slot.value) ? nullptr : &slot.value;
  return slot.records.empty() ? nullptr : value_at(slot.records.front(), path.substr(dot + 1));
}

template <class T>
const T* shown(const Record& record, std::string_view path) {
  const mapping::Value* value = value_at(record, path);
  return value == nullptr ? nullptr : std::get_if<T>(value);
}

bool is_among(const Scalars& values, const std::string& value) {
  return std::ranges::any_of(values, [&](const std::string& one) { return same_name(one, value); });
}

bool contradicts_dates(const Record& record, const std::string& name, const Argument& argument) {
  constexpr auto kLeeway = std::chrono::hours{24};
  const auto& filter = std::get<service::DateFilter>(argument);
  const std::string field = name.substr(0, name.size() - std::string_view("Filter").size());
  const auto* date = shown<Instant>(record, field);
  if (date == nullptr) date = shown<Instant>(record, "Review." + field);
  if (date == nullptr) return false;
  return (filter.from && *date < *filter.from - kLeeway) ||
         (filter.to && *date > *filter.to + kLeeway);
}

bool contradicts_codes(const Record& record, std::string_view path, const Argument& asked) {
  const auto* code = shown<std::int64_t>(record, path);
  return code != nullptr && !is_among(std::get<Scalars>(asked), std::to_string(*code));
}

bool contradicts_truth(const Record& record, std::string_view path, const Argument& asked) {
  const auto* truth = shown<bool>(record, path);
  return truth != nullptr && std::get<std::string>(asked) != (*truth ? "true" : "false");
}

// Where test records are wanted, the others are listed too.
bool contradicts_test(const Record& record, std::string_view path, const Argument& asked) {
  return std::get<std::string>(asked) == "false" && contradicts_truth(record, path, asked);
}

bool contradicts_addresses(const Record& record, std::string_view path, const Argument& asked) {
  const auto* address = shown<std::string>(record, path);
  return address != nullptr && !address->empty() && !is_among(std::get<Scalars>(asked), *address);
}

// Compared by number or by name, whichever both sides have.
bool contradicts_review(const Record& record, std::string_view path, const Argument& argument) {
  const auto& asked = std::get<std::string>(argument);
  const auto* review = shown<mapping::Enumerator>(record, path);
  if (review == nullptr) return false;
  const bool by_number = !asked.empty() && asked.find_first_not_of("0123456789") == asked.npos;
  if (by_number) return review->number && std::to_string(*review->number) != asked;
  return !review->name.empty() && !same_name(review->name, asked);
}

// A data column that a row shows, unencrypted, with another value. A service may write a value
// differently than it was given, so case does not count.
bool contradicts_data(const Record& record, std::string_view path, const Argument& asked) {
  for (const Record& item : record.at(path).records) {
    const auto* column = shown<std::int64_t>(item, "CustomerDataColumnId");
    const auto* value = shown<std::string>(item, "Value");
    if (column == nullptr || value == nullptr || item.value("IsEncrypted") == mapping::Value{true})
      continue;
    for (const auto& filter : std::get<std::vector<service::DataFilter>>(asked)) {
      const bool other = !same_name(mapping::trimmed(*value), mapping::trimmed(filter.value));
      if (filter.column_id == *column && other) return true;
    }
  }
  return false;
}

// Where a row shows what a parameter asks for.
struct ShownAt {
  std::string_view path;
  bool (*contradicts)(const Record& record, std::string_view path, const Argument& asked);
};

// Dates are recognised by their type.
const std::map<std::string, ShownAt, std::less<>>& shown_parameters() {
  static const std::map<std::string, ShownAt, std::less<>> all = {
      {"Statuses", {"Status.StatusCode", contradicts_codes}},
      {"CustomerIds", {"Id", contradicts_codes}},
      {"EmailAddresses", {"Email", contradicts_addresses}},
      {"IsOptout", {"OptedOut", contradicts_truth}},
      {"IncludeTestRecords", {"Batch.IsTest", contradicts_test}},
      {"ReviewStatus", {"Review.ReviewStatus", contradicts_review}},
      {"DataFilters", {"Data", contradicts_data}},
  };
  return all;
}

bool contradicts(const Record& record, const Parameter& asked) {
  if (std::holds_alternative<service::DateFilter>(asked.argument)) {
    return contradicts_dates(record, asked.name, asked.argument);
  }
  const auto known = shown_parameters().find(asked.name);
  return known != shown_parameters().end() &&
         known->second.contradicts(record, known->second.path, asked.argument);
}

const std::string kNobody = "-no-such-value-";
const std::string kNoNumber = "2147483647";

Argument impossible_answers(std::vector<service::AnswerFilter> filters) {
  for (auto& filter : filters) {
    for (auto& [member, values] : filter.members)
      values = {kNoNumber};
  }
  return filters;
}

}  // namespace

FilterCheck drop_unrequested(std::vector<Record> records, const std::vector<Parameter>& asked) {
  FilterCheck sifted;
  for (Record& record : records) {
    bool stray = false;
    for (const Parameter& parameter : asked) {
      if (!contradicts(record, parameter)) continue;
      sifted.ignored.insert(parameter.name);
      stray = true;
    }
    (stray ? sifted.unrequested : sifted.records).push_back(std::move(record));
  }
  return sifted;
}

std::optional<Parameter> impossible(const Parameter& parameter) {
  using namespace std::chrono;
  const auto day = [](year_month_day date) { return Instant{sys_days{date}}; };
  Parameter asked = parameter;
  if (std::holds_alternative<service::DateFilter>(parameter.argument)) {
    asked.argument = service::DateFilter{day(1990y / January / 1), day(1990y / December / 31)};
  } else if (const auto* data = std::get_if<std::vector<service::DataFilter>>(&asked.argument)) {
    asked.argument = std::vector<service::DataFilter>{{data->front().column_id, kNobody}};
  } else if (const auto* all = std::get_if<std::vector<service::AnswerFilter>>(&asked.argument)) {
    asked.argument = impossible_answers(*all);
  } else if (parameter.name == "EmailAddresses") {
    asked.argument = Scalars{kNobody + "@example.invalid"};
  } else if (parameter.name == "CustomerIds" || parameter.name == "Statuses") {
    asked.argument = Scalars{kNoNumber};
  } else if (parameter.name == "ReviewStatus") {
    asked.argument = kNoNumber;
  } else {
    return std::nullopt;
  }
  return asked;
}

bool shows_in_rows(const Parameter& parameter) {
  return std::holds_alternative<service::DateFilter>(parameter.argument) ||
         shown_parameters().contains(parameter.name);
}

}  // namespace surveybridge::daemon
