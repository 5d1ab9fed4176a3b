#include "tests/crm/report/report_fixture.hpp"

#include <cmath>

#include <fmt/format.h>

#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "mapping/interface/resource.hpp"
#include "mapping/values/dates.hpp"

namespace surveybridge::crm {

using mapping::Null;
using mapping::Record;

namespace {

Record& object_in(Record& record, const char* field) {
  auto& records = record.at(field).records;
  records.emplace_back(*record.resource->find(field)->of);
  return records.back();
}

void add_data(Record& record, std::int64_t column, const char* name, const std::string& value) {
  if (value.empty()) return;
  Record& item = object_in(record, "Data");
  item.set("CustomerDataColumnId", column);
  item.set("Name", std::string(name));
  item.set("Value", value);
}

Value or_null(const std::optional<Instant>& at) {
  return at ? Value{*at} : Value{Null{}};
}

std::string shown(const Value& cell) {
  if (mapping::is_null(cell)) return "-";
  if (const auto* number = std::get_if<std::int64_t>(&cell)) return std::to_string(*number);
  if (const auto* decimal = std::get_if<mapping::Decimal>(&cell))
    return fmt::format("{:.4f}", std::stod(decimal->text) + 0.0);
  if (const auto* local = std::get_if<mapping::LocalTime>(&cell)) {
    const std::string text = mapping::write_local(*local);
    return text.ends_with("T00:00:00") ? text.substr(0, 10) : text;
  }
  if (const auto* at = std::get_if<Instant>(&cell))
    return mapping::write_local(mapping::to_zone(*at, "UTC"));
  if (const auto* flag = std::get_if<bool>(&cell)) return *flag ? "1" : "0";
  const std::string text = text_in(cell);
  constexpr std::string_view kZero = ".000000Z";  // of an instant in SQLite
  return text.ends_with(kZero) ? text.substr(0, text.size() - kZero.size()) : text;
}

}  // namespace

Instant day_at(int month, int day, int hour) {
  using namespace std::chrono;
  const auto date = year{2026} / month / day;
  return Instant{sys_days{date}} + hours{hour};
}

Told finished(std::int64_t id, Instant date, const std::string& branch, std::int64_t score) {
  using namespace std::chrono_literals;
  Told told{id, date, "A" + std::to_string(id), branch, date + 1h, date + 2h, date + 3h};
  told.answers = {{1200, score, "", date + 3h}};
  return told;
}

Record record_of(const Told& told) {
  Record customer(mapping::customer());
  customer.set("Id", told.id);
  customer.set("Email", "jo" + std::to_string(told.id) + "@Mail.Example");
  customer.set("TransactionDate", told.date);
  customer.set("DateInvited", or_null(told.invited));
  customer.set("OpenDate", or_null(told.opened));
  customer.set("SurveyFinishedDate", or_null(told.finished));
  customer.set("SurveyClosedDate", or_null(told.closed));
  customer.set("OptedOutDate", or_null(told.opted_out));
  customer.set("OptedOut", told.opted_out.has_value());
  customer.set("IsSecondFeedBack", told.second);
  customer.set("IsContactRequested", told.contact);
  if (!told.language.empty()) customer.set("Language", told.language);
  object_in(customer, "Batch").set("IsTest", told.test);
  add_data(customer, 1, "Order", told.key);
  add_data(customer, 2, "Branch", told.branch);
  for (const auto& given : told.answers) {
    Record& answer = object_in(customer, "Answers");
    answer.set("BaseQuestionId", given.question);
    answer.set("QuestionDescription", given.words);
    if (!given.text.empty()) answer.set("Text", given.text);
    if (given.encrypted) answer.set("IsEncrypted", true);
    answer.set("DateAnswered", or_null(given.at));
    if (given.score) object_in(answer, "SelectedScalePositions").set("Value", *given.score);
  }
  return customer;
}

Record bouncer_of(const std::string& key, const std::string& reason, Instant at,
                  const std::string& address) {
  Record bouncer(mapping::bouncer());
  bouncer.set("Reason", reason);
  bouncer.set("DateSent", at);
  bouncer.set("Email", address);
  bouncer.set("TransactionDate", at);
  add_data(bouncer, 1, "Order", key);
  return bouncer;
}

Record rating_of(std::int64_t id, const std::string& key) {
  Record rating(mapping::rating());
  rating.set("Id", id);
  rating.set("TransactionDate", day_at(11, 2));
  if (!key.empty()) {
    Record& item = object_in(rating, "Data");
    item.set("DisplayName", std::string("Order"));
    item.set("Value", key);
  }
  return rating;
}

Record data_column_of(std::int64_t id, const std::string& name) {
  Record column(mapping::data_column());
  column.set("Id", id);
  column.set("Name", name);
  return column;
}

Reports::Reports() : database(open()) {
  shape.correlates = {{"orders", "Order"}};
  shape.report.segments = {"Branch"};
  shape.report.least = 1;
  shape.time_zone = "Europe/Amsterdam";
  save(mapping::data_column(), {data_column_of(1, "Order"), data_column_of(2, "Branch")});
}

PullStore Reports::new_store(const mapping::Resource& root) {
  return {database, root, {}, "UTC", shape};
}

void Reports::page(PullStore& store, const std::vector<Record>& records) {
  store.save(records, {"list", "walk", {}, {}, "next", {}, 1, 0, {}, ""}, std::nullopt);
}

void Reports::save(const mapping::Resource& root, const std::vector<Record>& records) {
  PullStore store = new_store(root);
  page(store, records);
  ASSERT_EQ(store.report_problem(), "");
}

void Reports::save(const std::vector<Told>& customers) {
  std::vector<Record> records;
  for (const auto& told : customers)
    records.push_back(record_of(told));
  save(mapping::customer(), records);
}

void Reports::renew(const mapping::Resource& root) {
  PullStore store = new_store(root);
  // A change of the shape that finds a lock, of another session of the server too, is tried again.
  constexpr int kAttempts = 50;
  for (int i = 0; i == 0 || (i < kAttempts && store.report_is_late()); ++i) {
    while (store.renew_report() > 0) {
    }
  }
  ASSERT_EQ(store.report_problem(), "");
}

Texts Reports::read(const std::string& sql) {
  Texts all;
  for (const auto& row : query_rows(database, sql)) {
    std::vector<std::string> texts;
    for (const auto& cell : row)
      texts.push_back(shown(cell));
    all.push_back(std::move(texts));
  }
  return all;
}

}  // namespace surveybridge::crm
