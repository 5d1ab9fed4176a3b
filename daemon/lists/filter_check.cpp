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

bool contradicts_codes(const Record& record, const Scalars& codes, std::string_view path) {
  const auto* code = shown<std::int64_t>(record, path);
  return code != nullptr && !is_among(codes, std::to_string(*code));
}

bool contradicts_truth(const Record& record, const std::string& asked, std::string_view path) {
  const auto* truth = shown<bool>(record, path);
  return truth != nullptr && asked != (*truth ? "true" : "false");
}

bool contradicts_addresses(const Record& record, const Scalars& addresses) {
  const auto* address = shown<std::string>(record, "Email");
  return address != nullptr && !address->empty() && !is_among(addresses, *address);
}

// Compared by number or by name, whichever both sides have.
bool contradicts_review(const Record& record, const std::string& asked) {
  const auto* review = shown<mapping::Enumerator>(record, "Review.ReviewStatus");
  if (review == nullptr) return false;
  const bool by_number = !asked.empty() && asked.find_first_not_of("0123456789") == asked.npos;
  if (by_number) return review->number && std::to_string(*review->number) != asked;
  return !review->name.empty() && !same_name(review->name, asked);
}

// A data column that a row shows, unencrypted, with another value. A service may write a value
// differently than it was given, so case does not count.
bool contradicts_data(const Record& record, const std::vector<service::DataFilter>& filters) {
  for (const Record& item : record.at("Data").records) {
    const auto* column = shown<std::int64_t>(item, "CustomerDataColumnId");
    const auto* value = shown<std::string>(item, "Value");
    if (column == nullptr || value == nullptr || item.value("IsEncrypted") == mapping::Value{true})
      continue;
    for (const auto& filter : filters) {
      const bool other = !same_name(mapping::trimmed(*value), mapping::trimmed(filter.value));
      if (filter.column_id == *column && other) return true;
    }
  }
  return false;
}

using Contradicts = bool (*)(const Record&, const Argument&);

// What each parameter says about a row. Dates are recognised by their type.
const std::map<std::string, Contradicts, std::less<>>& contradictions() {
  static const std::map<std::string, Contradicts, std::less<>> all = {
      {"Statuses",
       [](const Record& record, const Argument& asked) {
         return contradicts_codes(record, std::get<Scalars>(asked), "Status.StatusCode");
       }},
      {"CustomerIds",
       [](const Record& record, const Argument& asked) {
         return contradicts_codes(record, std::get<Scalars>(asked), "Id");
       }},
      {"EmailAddresses",
       [](const Record& record, const Argument& asked) {
         return contradicts_addresses(record, std::get<Scalars>(asked));
       }},
      {"IsOptout",
       [](const Record& record, const Argument& asked) {
         return contradicts_truth(record, std::get<std::string>(asked), "OptedOut");
       }},
      {"IncludeTestRecords",
       [](const Record& record, const Argument& asked) {
         const auto& include = std::get<std::string>(asked);
         return include == "false" && contradicts_truth(record, include, "Batch.IsTest");
       }},
      {"ReviewStatus",
       [](const Record& record, const Argument& asked) {
         return contradicts_review(record, std::get<std::string>(asked));
       }},
      {"DataFilters",
       [](const Record& record, const Argument& asked) {
         return contradicts_data(record, std::get<std::vector<service::DataFilter>>(asked));
       }},
  };
  return all;
}

bool contradicts(const Record& record, const Parameter& asked) {
  if (std::holds_alternative<service::DateFilter>(asked.argument)) {
    return contradicts_dates(record, asked.name, asked.argument);
  }
  const auto known = contradictions().find(asked.name);
  return known != contradictions().end() && known->second(record, asked.argument);
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
         contradictions().contains(parameter.name);
}

}  // namespace surveybridge::daemon
