#include "daemon/pull/follow_ups.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "config/service_list.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/service/api.hpp"
#include "connectors/service/query.hpp"
#include "daemon/job/log.hpp"
#include "daemon/job/replaced.hpp"
#include "mapping/interface/path.hpp"
#include "mapping/report/invitation.hpp"
#include "mapping/tables/tables.hpp"

namespace surveybridge::daemon {

namespace {

using mapping::Path;
using mapping::Record;

const mapping::Resource& root_of(const config::Pull& pull) {
  return service::operation_of(pull.list).item;
}

std::string key_of(const config::Pull& pull, const config::FollowUp& follow_up) {
  return "pull." + pull.name + ".follow_up." + follow_up.name;
}

std::optional<TimePoint> date_in(const Record& record, std::string_view field) {
  if (record.resource->find(field) == nullptr) return std::nullopt;
  const auto* at = std::get_if<mapping::Instant>(&record.value(field));
  return at == nullptr ? std::nullopt : std::optional<TimePoint>(*at);
}

// A customer's record with the answers alone that reports count, too: one that was pushed or copied
// has no date, and nobody has given it yet.
Record with_given_answers(const Record& record) {
  Record given = record;
  if (record.resource != &mapping::customer()) return given;
  auto& answers = given.at("Answers").records;
  answers.clear();
  for (const auto& answer : mapping::answered(record))
    answers.push_back(record.at("Answers").records[static_cast<std::size_t>(answer.position)]);
  return given;
}

// When a survey was finished; of one that was not, and of what is no survey, the record's own date.
std::optional<TimePoint> answered_at(const Record& record, config::Pull::List list) {
  if (const auto finished = date_in(record, "SurveyFinishedDate")) return finished;
  return date_in(record, config::description_of(list).age);
}

std::vector<std::vector<crm::Condition>> compile_when(const config::Pull& pull,
                                                      const config::FollowUp& follow_up,
                                                      const std::string& time_zone,
                                                      std::vector<config::Problem>& problems) {
  std::vector<std::vector<crm::Condition>> all;
  for (const auto& conditions : follow_up.when)
    all.push_back(crm::compile_conditions(conditions, root_of(pull), time_zone,
                                          key_of(pull, follow_up) + ".when", problems));
  return all;
}

// One line; empty: nothing is at the path, or the path is wrong.
std::string text_at(const std::string& path, const Record& record, const std::string& time_zone) {
  const auto parsed = Path::parse(path, *record.resource);
  const auto* known = std::get_if<Path>(&parsed);
  if (known == nullptr) return "";
  const auto value = known->read(record);
  if (mapping::is_null(value)) return "";
  auto text = crm::column_text(value, time_zone).value_or("");
  std::ranges::replace_if(
      text, [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  return one_line(text);
}

// The transaction's key by the data column of any push; empty: none has one.
std::string transaction_of(const config::Settings& settings, const Record& record) {
  for (const auto& push : settings.pushes) {
    if (push.correlate.empty()) continue;
    auto key = text_at("Data[" + push.correlate + "]", record, settings.crm.time_zone);
    if (!key.empty()) return key;
  }
  return "";
}

}  // namespace

FollowUps::FollowUps(const config::Pull& pull, const std::string& time_zone, crm::Database& store)
    : pull_(pull), time_zone_(time_zone) {
  if (const auto problems = follow_up_problems(pull); !problems.empty())
    throw std::invalid_argument(to_string(problems.front()));
  std::vector<config::Problem> none;
  for (const auto& follow_up : pull.follow_ups)
    all_.push_back({&follow_up, crm::FollowUpStore(store).since(pull.name, follow_up.name),
                    compile_when(pull, follow_up, time_zone, none)});
}

bool FollowUps::is_told(const Compiled& follow_up, const Record& record, TimePoint db_now) const {
  const auto at = answered_at(record, pull_.list);
  if (!at || *at < std::max(follow_up.since, db_now - follow_up.of->within)) return false;
  const Record given = with_given_answers(record);
  return std::ranges::any_of(follow_up.when, [&](const auto& conditions) {
    return crm::are_met(conditions, given, time_zone_);
  });
}

std::vector<crm::FollowUp> FollowUps::of(std::span<const Record> records, TimePoint db_now) const {
  std::vector<crm::FollowUp> all;
  for (const auto& follow_up : all_)
    for (const auto& record : records)
      if (is_told(follow_up, record, db_now))
        for (const auto& receiver : follow_up.of->to)
          all.push_back({pull_.name, follow_up.of->name, crm::text_in(mapping::key_of(record)),
                         receiver, db_now});
  return all;
}

std::vector<config::Problem> follow_up_problems(const config::Pull& pull) {
  std::vector<config::Problem> problems;
  for (const auto& follow_up : pull.follow_ups) {
    compile_when(pull, follow_up, "UTC", problems);
    for (const auto& field : follow_up.fields) {
      const auto path = Path::parse(field.path, root_of(pull));
      if (const auto* fault = std::get_if<std::string>(&path))
        problems.push_back({field.place, key_of(pull, follow_up) + ".fields." + field.label,
                            "\"" + field.path + "\": " + *fault});
    }
  }
  return problems;
}

ShownFields shown_of(const config::Settings& settings, const config::Pull& pull,
                     const config::FollowUp& follow_up, const Record& stored) {
  const Record record = with_given_answers(stored);
  const std::string& zone = settings.crm.time_zone;
  const std::string id = crm::text_in(mapping::key_of(record));
  const std::string key = transaction_of(settings, record);
  ShownFields shown{{std::string(root_of(pull).name), id}};
  const auto add = [&](const std::string& label, const std::string& text) {
    const bool is_there =
        std::ranges::find(shown, label, &ShownFields::value_type::first) != shown.end();
    if (!text.empty() && !is_there) shown.emplace_back(label, text);
  };
  add("Transaction", key);
  for (const auto& field : follow_up.fields)
    add(field.label, text_at(field.path, record, zone));
  const auto is_field = [&](const std::string& path) {
    return std::ranges::find(follow_up.fields, path, &config::FollowUp::Field::path) !=
           follow_up.fields.end();
  };
  for (const auto& conditions : follow_up.when)
    for (const auto& condition : conditions)
      if (!condition.bounds.empty() && !is_field(condition.path))
        add(condition.path, text_at(condition.path, record, zone));
  const auto coded = [](const std::string& text) { return service::percent_encode(text); };
  if (!follow_up.link.empty())
    add("Link", replaced(replaced(follow_up.link, "{id}", coded(id)), "{key}", coded(key)));
  return shown;
}

}  // namespace surveybridge::daemon
