#include "sandbox/requests/filter.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sandbox/model/answers.hpp"
#include "sandbox/values/http.hpp"

namespace sandbox {
namespace {

struct NamedDate {
  std::string_view parameter;
  DateField field;
};

constexpr std::array<NamedDate, kDateFields> kDateParameters = {{
    {"TransactionDateFilter", DateField::transaction},
    {"SurveyFinishedDateFilter", DateField::finished},
    {"DateInvitedFilter", DateField::invited},
    {"ScheduledInvitationDateFilter", DateField::scheduled},
    {"OptedOutDateFilter", DateField::opted_out},
    {"BatchClosedDateFilter", DateField::batch_closed},
    {"LastActivityDateFilter", DateField::last_activity},
    {"ReviewApprovedDateFilter", DateField::review_approved},
}};

void read_date(Parameters& in, Filter& filter, DateField field) {
  const auto& named = kDateParameters[static_cast<std::size_t>(field)];
  filter.dates[static_cast<std::size_t>(field)] = in.range(named.parameter);
}

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

void read_answers(Parameters& in, Filter& filter, const Dialect& dialect) {
  const auto objects =
      in.objects("AnswerFilters", {dialect.answer_question, dialect.answer_positions});
  for (FilterObject object : objects) {
    const std::string place = fmt::format("AnswerFilters[{}]", filter.answers.size());
    const std::string question = only(in, object, dialect.answer_question, place);
    std::vector<std::string> texts;
    for (const std::string& value : object[dialect.answer_positions])
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

bool dates_fit(const Filter& filter, const Customer& customer, TimePoint now) {
  for (const NamedDate& named : kDateParameters) {
    const Range& range = filter.dates[static_cast<std::size_t>(named.field)];
    if (range.asked() && !range.holds(date_of(customer, named.field, now))) return false;
  }
  return true;
}

bool opt_out_fits(const Filter& filter, const Customer& customer, TimePoint now) {
  if (!filter.opted_out) return true;
  return customer.life.at(Step::opted_out, now).has_value() == *filter.opted_out;
}

bool email_fits(const Filter& filter, const Customer& customer) {
  if (filter.emails.empty()) return true;
  return customer.in.email && filter.emails.contains(lower_case(*customer.in.email));
}

}  // namespace

Filter read_customer_filter(Parameters& in, const Options& options) {
  Filter filter;
  for (const NamedDate& named : kDateParameters)
    read_date(in, filter, named.field);
  read_data(in, filter, options.dialect);
  filter.statuses = as_set(in.integers("Statuses"));
  filter.opted_out = in.boolean("IsOptout");
  filter.ids = as_set(in.integers("CustomerIds"));
  for (const std::string& email : in.texts("EmailAddresses")) {
    filter.emails.insert(lower_case(email));
  }
  filter.test_records = in.boolean("IncludeTestRecords").value_or(false);
  read_answers(in, filter, options.dialect);
  filter.notes = in.boolean("IncludeNotes").value_or(false);
  read_review_status(in, filter);
  return filter;
}

Filter read_rating_filter(Parameters& in, const Options& options) {
  Filter filter;
  read_date(in, filter, DateField::review_approved);
  if (!in.has("ReviewApprovedDateFilter") &&
      !options.ignored.contains("ReviewApprovedDateFilter")) {
    in.refuse("ReviewApprovedDateFilter", "is required");
  }
  filter.concatenated = as_set(in.integers("ConcatAnswersForQuestionIds"));
  read_data(in, filter, options.dialect);
  return filter;
}

Filter read_bouncer_filter(Parameters& in, const Options& options) {
  Filter filter;
  read_date(in, filter, DateField::transaction);
  filter.test_records = in.boolean("IncludeTestRecords").value_or(false);
  read_data(in, filter, options.dialect);
  return filter;
}

Instant date_of(const Customer& customer, DateField field, TimePoint now) {
  const Life& life = customer.life;
  switch (field) {
    case DateField::transaction:
      return customer.in.transaction_date;
    case DateField::finished:
      if (const auto finished = life.at(Step::finished, now)) return finished;
      // Customers with partial answers whose batch has closed count too (docs/SERVICE.md 4.2).
      return life.at(Step::partly_answered, now) ? life.at(Step::closed, now) : std::nullopt;
    case DateField::invited:
      return life.at(Step::invited, now);
    case DateField::scheduled:
      return life.scheduled;
    case DateField::opted_out:
      return life.at(Step::opted_out, now);
    case DateField::batch_closed:
      return life.at(Step::closed, now);
    case DateField::last_activity:
      return life.last_activity(now);
    case DateField::review_approved:
      return life.at(Step::review_approved, now);
  }
  return std::nullopt;
}

bool fits(const Filter& filter, const Customer& customer, const Batch& batch, std::uint64_t seed,
          TimePoint now) {
  if (batch.test && !filter.test_records) return false;
  if (!filter.ids.empty() && !filter.ids.contains(customer.id)) return false;
  const auto status = static_cast<std::int64_t>(customer.life.status(now));
  if (!filter.statuses.empty() && !filter.statuses.contains(status)) return false;
  if (!email_fits(filter, customer) || !opt_out_fits(filter, customer, now)) return false;
  if (filter.review_status && review_status(customer, now) != *filter.review_status) return false;
  if (!dates_fit(filter, customer, now)) return false;
  const auto data = [&](const DataFilter& one) { return data_fits(one, customer); };
  if (!std::all_of(filter.data.begin(), filter.data.end(), data)) return false;
  return answers_fit(filter, customer, seed, now);
}

}  // namespace sandbox
