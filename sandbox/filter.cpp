#include "sandbox/filter.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "sandbox/model/text.hpp"

namespace sandbox {
namespace {

template <Step step>
Instant date_of(const Customer& customer, TimePoint now) {
  return customer.life.at(step, now);
}

// Customers with partial answers whose batch has closed count too (docs/SERVICE.md 4.2).
Instant finished_date(const Customer& customer, TimePoint now) {
  const Life& life = customer.life;
  if (const auto at = life.at(Step::finished, now)) return at;
  return life.at(Step::partly_answered, now) ? life.at(Step::closed, now) : std::nullopt;
}

struct NamedDate {
  std::string_view parameter, lists;  // the letters of the lists that have it
  Instant (*date)(const Customer&, TimePoint);
};

const NamedDate kDateParameters[] = {
    {"TransactionDateFilter", "cb",
     [](const Customer& customer, TimePoint) -> Instant { return customer.in.transaction_date; }},
    {"SurveyFinishedDateFilter", "c", finished_date},
    {"DateInvitedFilter", "c", date_of<Step::invited>},
    {"ScheduledInvitationDateFilter", "c",
     [](const Customer& customer, TimePoint) { return customer.life.scheduled; }},
    {"OptedOutDateFilter", "c", date_of<Step::opted_out>},
    {"BatchClosedDateFilter", "c", date_of<Step::closed>},
    {"LastActivityDateFilter", "c",
     [](const Customer& customer, TimePoint now) { return customer.life.last_activity(now); }},
    {"ReviewApprovedDateFilter", "cr", date_of<Step::review_approved>},
};

std::string only(Parameters& in, FilterObject& object, const std::string& member,
                 const std::string& place) {
  auto& values = object[member];
  if (values.size() == 1) return values.front();
  in.refuse(fmt::format("{}.{}", place, member), values.empty() ? "is required" : "appears twice");
  return "0";
}

void read_data(Parameters& in, Filter& filter, const Dialect& dialect) {
  for (auto& object : in.objects("DataFilters", {dialect.data_column, dialect.data_value})) {
    const std::string place = fmt::format("DataFilters[{}]", filter.data.size());
    const std::string column = only(in, object, dialect.data_column, place);
    const std::string value = only(in, object, dialect.data_value, place);
    filter.data.push_back({in.whole(place, column).value_or(0), value});
  }
}

void read_answers(Parameters& in, Filter& filter) {
  for (auto& object : in.objects("AnswerFilters", {"BaseQuestionId", "ScalePositionIds"})) {
    const std::string place = fmt::format("AnswerFilters[{}]", filter.answers.size());
    const std::string question = only(in, object, "BaseQuestionId", place);
    std::vector<std::string> texts;
    for (const std::string& value : object["ScalePositionIds"])
      in.spread(value, texts);
    const auto ids = in.integers(place, texts);
    filter.answers.push_back({in.whole(place, question).value_or(0), {ids.begin(), ids.end()}});
  }
}

void read_review_status(Parameters& in, Filter& filter) {
  const Text text = in.text("ReviewStatus");
  if (!text || text->empty()) return;
  filter.review_status = find_review_status(*text);
  if (!filter.review_status) in.refuse("ReviewStatus", "no such review status");
}

template <typename T>
std::set<T> as_set(const std::vector<T>& values) {
  return {values.begin(), values.end()};
}

bool data_fits(const DataFilter& filter, const Customer& customer) {
  const auto& data = customer.in.data;
  return std::any_of(data.begin(), data.end(), [&](const DataValue& value) {
    return value.column == filter.column && value.value == filter.value;
  });
}

bool answer_fits(const AnswerFilter& filter, const Answer& answer) {
  if (answer.question != filter.question) return false;
  const auto chosen = [&](const ScalePosition& position) {
    return position.id && filter.positions.contains(*position.id);
  };
  return std::any_of(answer.positions.begin(), answer.positions.end(), chosen);
}

bool answers_fit(const Filter& filter, const Customer& customer, std::uint64_t seed,
                 TimePoint now) {
  if (filter.answers.empty()) return true;
  const auto answers = answers_of(customer, seed, now);
  return std::all_of(filter.answers.begin(), filter.answers.end(), [&](const AnswerFilter& one) {
    return std::any_of(answers.begin(), answers.end(),
                       [&](const Answer& answer) { return answer_fits(one, answer); });
  });
}

bool opt_out_fits(const Filter& filter, const Customer& customer, TimePoint now) {
  if (!filter.opted_out) return true;
  return customer.life.at(Step::opted_out, now).has_value() == *filter.opted_out;
}

bool email_fits(const Filter& filter, const Customer& customer) {
  if (filter.emails.empty()) return true;
  return customer.in.email && filter.emails.contains(lower_case(*customer.in.email));
}

void read_customers(Parameters& in, Filter& filter) {
  filter.statuses = as_set(in.integers("Statuses"));
  filter.opted_out = in.boolean("IsOptout");
  filter.ids = as_set(in.integers("CustomerIds"));
  for (const std::string& email : in.texts("EmailAddresses"))
    filter.emails.insert(lower_case(email));
  read_answers(in, filter);
  filter.notes = in.boolean("IncludeNotes").value_or(false);
  read_review_status(in, filter);
}

void read_ratings(Parameters& in, Filter& filter, const Options& options) {
  const std::string required = "ReviewApprovedDateFilter";
  if (!in.has(required) && !options.ignored.contains(required)) in.refuse(required, "is required");
  in.integers("ConcatAnswersForQuestionIds");
  filter.since = Step::review_approved;
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
  if (bracket) part.index = whole_number(*bracket);
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
  if (const auto value = whole_number(text)) return value;
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
    if (indexed && *part.index != std::ssize(values))
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
    if (*part.index == std::ssize(all)) all.emplace_back();
    if (*part.index >= 0 && *part.index < std::ssize(all)) {
      all[static_cast<std::size_t>(*part.index)][part.member].push_back(part.value);
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

Filter read_filter(ListKind kind, Parameters& in, const Options& options) {
  Filter filter;
  for (const NamedDate& named : kDateParameters) {
    if (named.lists.find(static_cast<char>(kind)) == named.lists.npos) continue;
    const Range range = in.range(named.parameter);
    if (range.asked()) filter.dates.push_back({named.date, range});
  }
  read_data(in, filter, options.dialect);
  if (kind == ListKind::customers) read_customers(in, filter);
  if (kind == ListKind::ratings) read_ratings(in, filter, options);
  if (kind == ListKind::bouncers) filter.since = Step::bounced;
  if (kind != ListKind::ratings)
    filter.test_records = in.boolean("IncludeTestRecords").value_or(false);
  return filter;
}

bool fits(const Filter& filter, const Customer& customer, const Batch& batch, std::uint64_t seed,
          TimePoint now) {
  if (batch.test && !filter.test_records) return false;
  if (filter.since && !customer.life.at(*filter.since, now)) return false;
  if (!filter.ids.empty() && !filter.ids.contains(customer.id)) return false;
  const auto status = static_cast<std::int64_t>(customer.life.status(now));
  if (!filter.statuses.empty() && !filter.statuses.contains(status)) return false;
  if (!email_fits(filter, customer) || !opt_out_fits(filter, customer, now)) return false;
  if (filter.review_status && review_status(customer, now) != *filter.review_status) return false;
  const auto in_range = [&](const DateFilter& one) {
    return one.range.holds(one.date(customer, now));
  };
  if (!std::all_of(filter.dates.begin(), filter.dates.end(), in_range)) return false;
  const auto data = [&](const DataFilter& one) { return data_fits(one, customer); };
  if (!std::all_of(filter.data.begin(), filter.data.end(), data)) return false;
  return answers_fit(filter, customer, seed, now);
}

}  // namespace sandbox
