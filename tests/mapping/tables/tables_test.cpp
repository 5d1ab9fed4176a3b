#include "mapping/tables/tables.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/mapping/full_record.hpp"

namespace surveybridge::mapping {
namespace {

using namespace std::string_literals;

const Resource* const kRoots[] = {&customer(), &rating(), &bouncer(), &status(), &data_column()};
constexpr Instant kNow{std::chrono::microseconds{1'800'000'000'000'000}};

std::vector<std::string> names(const Table& table) {
  std::vector<std::string> found;
  for (const TableColumn& column : table.columns)
    found.push_back(column.name);
  return found;
}

const Table& table(const Resource& root, std::string_view name) {
  return *std::ranges::find(tables_of(root), name, &Table::name);
}

std::vector<std::string> table_names(const Resource& root) {
  std::vector<std::string> found;
  for (const Table& each : tables_of(root))
    found.push_back(each.name);
  return found;
}

// The cell of the only row of a root table.
Value cell(const std::vector<TableRows>& rows, std::string_view column) {
  const auto& columns = rows.front().table->columns;
  const auto found = std::ranges::find(columns, column, &TableColumn::name);
  return rows.front().rows.at(0).at(static_cast<std::size_t>(found - columns.begin()));
}

TEST(Tables, WriteNamesInSnakeCase) {
  EXPECT_EQ(snake_case("DateInvited"), "date_invited");
  EXPECT_EQ(snake_case("Id"), "id");
  EXPECT_EQ(snake_case("HasSecondFeedBack"), "has_second_feed_back");
  EXPECT_EQ(snake_case("CompletionTimeInSeconds"), "completion_time_in_seconds");
  EXPECT_EQ(snake_case("HTMLBody"), "html_body");
  EXPECT_EQ(snake_case("PageURL"), "page_url");
  EXPECT_EQ(snake_case(""), "");
}

TEST(Tables, AreThoseOfTheInterface) {
  EXPECT_EQ(table_names(customer()),
            (std::vector<std::string>{"survey_customer", "survey_answer", "survey_answer_category",
                                      "survey_answer_scale_position", "survey_answer_file",
                                      "survey_customer_note", "survey_customer_data"}));
  EXPECT_EQ(table_names(rating()),
            (std::vector<std::string>{"survey_rating", "survey_rating_data", "survey_rating_answer",
                                      "survey_rating_reaction"}));
  EXPECT_EQ(table_names(bouncer()),
            (std::vector<std::string>{"survey_bouncer", "survey_bouncer_data"}));
  EXPECT_EQ(table_names(status()), std::vector<std::string>{"survey_status"});
  EXPECT_EQ(table_names(data_column()), std::vector<std::string>{"survey_data_column"});
}

TEST(Tables, FlattenACustomer) {
  EXPECT_EQ(names(table(customer(), "survey_customer")),
            (std::vector<std::string>{
                "id",
                "access_key",
                "questionnaire_id",
                "status_code",
                "status_name",
                "scheduled_invitation_date",
                "date_invited",
                "date_reminded",
                "survey_finished_date",
                "open_date",
                "last_activity_date",
                "completion_time_in_seconds",
                "has_second_feed_back",
                "is_second_feed_back",
                "second_feedback_information_original_customer_id",
                "second_feedback_information_second_feedback_customer_id",
                "batch_id",
                "batch_is_test",
                "batch_type_batch",
                "batch_created_date",
                "opted_out",
                "external_unique_id",
                "opted_out_date",
                "user_agent",
                "priority",
                "partially_answered_reminded_date",
                "previous_id",
                "overtime",
                "form_status",
                "form_status_name",
                "review_status",
                "review_status_name",
                "review_approved_date",
                "email",
                "transaction_date",
                "survey_closed_date",
                "language",
                "is_contact_requested",
                "is_concept",
                "digest",
                "changed_at",
            }));
}

TEST(Tables, KeyChildrenByParentAndPosition) {
  EXPECT_EQ(names(table(customer(), "survey_answer_category")),
            (std::vector<std::string>{"customer_id", "answer_position", "position", "category",
                                      "sub_category", "sentiment", "sentiment_name"}));
  EXPECT_EQ(names(table(customer(), "survey_customer_note")),
            (std::vector<std::string>{"customer_id", "position", "date", "user", "note", "type",
                                      "type_name"}));
  EXPECT_EQ(names(table(bouncer(), "survey_bouncer_data")).front(), "bouncer_id");
  EXPECT_EQ(names(table(rating(), "survey_rating_answer")).front(), "rating_id");
  EXPECT_EQ(table(customer(), "survey_answer").key_size, 2U);
  EXPECT_EQ(table(customer(), "survey_answer_file").key_size, 3U);
}

TEST(Tables, NameAStatusByItsCode) {
  EXPECT_EQ(names(table(status(), "survey_status")),
            (std::vector<std::string>{"code", "name", "digest", "changed_at"}));
  EXPECT_EQ(names(table(data_column(), "survey_data_column")),
            (std::vector<std::string>{"id", "required", "archived", "name", "display_name",
                                      "digest", "changed_at"}));
}

TEST(Tables, RequireTheirKeysAndNothingTheServiceMayLeaveOut) {
  for (const Resource* root : kRoots) {
    for (const Table& each : tables_of(*root)) {
      for (std::size_t i = 0; i < each.columns.size(); ++i) {
        const TableColumn& column = each.columns[i];
        const bool own = column.name == "digest" || column.name == "changed_at";
        EXPECT_EQ(column.required, i < each.key_size || own) << each.name << "." << column.name;
      }
    }
  }
}

TEST(Tables, NeverNameTwoColumnsAlike) {
  for (const Resource* root : kRoots) {
    for (const Table& each : tables_of(*root)) {
      const auto columns = names(each);
      EXPECT_EQ(std::set<std::string>(columns.begin(), columns.end()).size(), columns.size())
          << each.name;
      // The longest name that PostgreSQL does not cut.
      for (const std::string& column : columns)
        EXPECT_LE(column.size(), 63U);
    }
  }
}

// Fills one field after another and expects a change in some row: a field without a column changes
// none.
void expect_column(const Resource& root, const Record& full, const std::string& name,
                   const std::function<void(Record&)>& clear) {
  Record without = full;
  clear(without);
  auto rows = rows_of(root, {full}, kNow), fewer = rows_of(root, {without}, kNow);
  for (auto* each : {&rows, &fewer}) {
    for (auto& cells : each->front().rows)
      cells.resize(cells.size() - 2);  // digest, changed_at
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].rows != fewer[i].rows) return;
  }
  ADD_FAILURE() << name << " has no column";
}

// Called with the name of every scalar and a way to it from the root.
using Reach = std::function<Record&(Record&)>;
void each_scalar(const Resource& resource, const std::string& path, const Reach& reach,
                 const std::function<void(const std::string&, std::size_t, const Reach&)>& visit) {
  for (std::size_t i = 0; i < resource.fields.size(); ++i) {
    const Field& field = resource.fields[i];
    const std::string name = path + "." + std::string(field.name);
    if (field.type != Type::object) {
      visit(name, i, reach);
    } else {
      const Reach onward = [=](Record& root) -> Record& {
        return reach(root).slots[i].records.front();
      };
      each_scalar(*field.of, name, onward, visit);
    }
  }
}

TEST(Tables, HaveAColumnForEveryFieldOfTheDocument) {
  for (const Resource* root : kRoots) {
    const Record full = full_record(*root);
    const Reach self = [](Record& record) -> Record& { return record; };
    each_scalar(*root, std::string(root->name), self,
                [&](const std::string& name, std::size_t slot, const Reach& reach) {
                  // Not values: the key, and the note's copy of its customer's key.
                  if (name == "Customer.Id" || name == "Rating.Id" ||
                      name == "CustomerDataColumn.Id" || name == "CustomerStatus.StatusCode" ||
                      name == "Customer.FormNotes.CustomerId")
                    return;
                  expect_column(*root, full, name,
                                [&](Record& record) { reach(record).slots[slot].value = Null{}; });
                });
  }
}

TEST(Tables, TakeARecordApart) {
  const Record full = full_record(customer());
  const auto rows = rows_of(customer(), {full}, kNow);
  ASSERT_EQ(rows.size(), tables_of(customer()).size());
  const std::size_t counts[] = {1, 2, 4, 4, 4, 2, 2};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i].table, &tables_of(customer())[i]);
    EXPECT_EQ(rows[i].rows.size(), counts[i]) << rows[i].table->name;
    for (const auto& row : rows[i].rows) {
      EXPECT_EQ(row.size(), rows[i].table->columns.size());
    }
  }
  EXPECT_EQ(cell(rows, "id"), full.value("Id"));
  EXPECT_EQ(cell(rows, "batch_id"), full.at("Batch").records[0].value("Id"));
  EXPECT_EQ(cell(rows, "digest"), Value{digest_of(full)});
  EXPECT_EQ(cell(rows, "changed_at"), Value{kNow});
}

TEST(Tables, NumberChildrenFromZeroUnderTheirParent) {
  const Record full = full_record(customer());
  const auto rows = rows_of(customer(), {full}, kNow);
  const auto& scales = rows[3];
  ASSERT_EQ(scales.table->name, "survey_answer_scale_position");
  std::vector<std::pair<Value, Value>> positions;
  for (const auto& row : scales.rows) {
    EXPECT_EQ(row[0], full.value("Id"));
    positions.emplace_back(row[1], row[2]);
  }
  using std::int64_t;
  EXPECT_EQ(positions, (std::vector<std::pair<Value, Value>>{{int64_t{0}, int64_t{0}},
                                                             {int64_t{0}, int64_t{1}},
                                                             {int64_t{1}, int64_t{0}},
                                                             {int64_t{1}, int64_t{1}}}));
}

TEST(Tables, KeepBothHalvesOfAChoice) {
  Record record(customer());
  record.set("Id", std::int64_t{1});
  record.set("FormStatus", Enumerator{3, "New"});
  auto rows = rows_of(customer(), {record}, kNow);
  EXPECT_EQ(cell(rows, "form_status"), Value{std::int64_t{3}});
  EXPECT_EQ(cell(rows, "form_status_name"), Value{"New"s});
  record.set("FormStatus", Enumerator{std::nullopt, "Odd"});
  rows = rows_of(customer(), {record}, kNow);
  EXPECT_EQ(cell(rows, "form_status"), Value{Null{}});
  EXPECT_EQ(cell(rows, "form_status_name"), Value{"Odd"s});
}

TEST(Tables, HoldNullForWhatIsAbsent) {
  Record record(customer());
  record.set("Id", std::int64_t{1});
  const auto rows = rows_of(customer(), {record}, kNow);
  EXPECT_EQ(cell(rows, "status_code"), Value{Null{}});
  EXPECT_EQ(cell(rows, "email"), Value{Null{}});
  EXPECT_TRUE(rows[1].rows.empty());
}

TEST(Tables, RefuseARecordWithoutItsKey) {
  EXPECT_THROW(key_of(Record(customer())), std::invalid_argument);
  EXPECT_THROW(rows_of(rating(), {Record(rating())}, kNow), std::invalid_argument);
  EXPECT_THROW(tables_of(import_batch()), std::out_of_range);
}

TEST(Tables, AreConvertedBackToRecords) {
  for (const Resource* root : kRoots) {
    Record full = full_record(*root, 3);
    if (root == &customer()) {
      for (Record& note : full.at("FormNotes").records)
        note.set("CustomerId", full.value("Id"));  // the same as its key
    }
    EXPECT_EQ(records_of(*root, rows_of(*root, {full}, kNow)), std::vector{full}) << root->name;
  }
}

TEST(Tables, AreConvertedBackToRecordsInAnyOrderOfRows) {
  Record one = full_record(rating(), 3), two = one;
  two.set("Id", std::int64_t{999});
  two.at("Answers").records.pop_back();
  auto rows = rows_of(rating(), {one, two}, kNow);
  for (auto& table : rows)
    std::ranges::reverse(table.rows);
  EXPECT_EQ(records_of(rating(), rows), (std::vector{two, one}));
}

TEST(Tables, MakeNothingOfNullCells) {
  Record record(customer());
  record.set("Id", std::int64_t{1});
  record.set("FormStatus", Enumerator{std::nullopt, "Odd"});
  record.at("Answers").records.emplace_back(*customer().find("Answers")->of);
  EXPECT_EQ(records_of(customer(), rows_of(customer(), {record}, kNow)), std::vector{record});
  record.at("Status").records.emplace_back(status());
  const auto again = records_of(customer(), rows_of(customer(), {record}, kNow));
  EXPECT_TRUE(again.at(0).at("Status").records.empty()) << "an object of nulls is absent";
}

TEST(Tables, MakeNoRecordOfNoRow) {
  EXPECT_TRUE(records_of(customer(), rows_of(customer(), {}, kNow)).empty());
}

Record bounce(std::string email, std::string order) {
  Record record(bouncer());
  record.set("Email", std::move(email));
  record.set("DateSent", kNow);
  Record& item = record.at("Data").records.emplace_back(customer_data());
  item.set("CustomerDataColumnId", std::int64_t{7});
  item.set("Value", std::move(order));
  return record;
}

TEST(Tables, GiveABouncerAKeyThatNeverChanges) {
  // A literal: a change of this key would store every known bouncer a second time.
  EXPECT_EQ(key_of(bounce("jan@example.test", "A-1")),
            Value{"754f188c-a84d-5868-9f90-bf05d0d8f97e"s});
}

TEST(Tables, MakeABouncersKeyFromFieldsThatDoNotChange) {
  const Record once = bounce("jan@example.test", "A-1");
  Record later = once;
  later.set("Reason", "Mailbox full"s);
  later.set("DateReminded", kNow);
  EXPECT_EQ(key_of(once), key_of(later));
  EXPECT_NE(digest_of(once), digest_of(later));
  EXPECT_NE(key_of(once), key_of(bounce("piet@example.test", "A-1")));
  EXPECT_NE(key_of(once), key_of(bounce("jan@example.test", "A-2")));
}

TEST(Tables, MakeABouncersKeyWhateverIsListedBesidesItsData) {
  const Record once = bounce("jan@example.test", "A-1");
  Record again = once;
  again.set("Email", " Jan@Example.Test"s);
  again.set("DateSent", kNow + std::chrono::milliseconds{500});
  again.at("Data").records.front().set("Name", "Order number"s);
  for (const Value& none : {Value{Null{}}, Value{""s}}) {
    Record& item = again.at("Data").records.emplace_back(customer_data());
    item.set("CustomerDataColumnId", std::int64_t{8});
    item.set("Name", "New"s);
    item.set("Value", none);
  }
  EXPECT_EQ(key_of(again), key_of(once)) << "one soft bounce must not become two";
  again.set("DateSent", kNow + std::chrono::seconds{1});
  EXPECT_NE(key_of(again), key_of(once)) << "another mail";
}

TEST(Tables, MakeABouncersKeyFromNamesWhereDataHasNoIds) {
  const auto named = [](std::string name) {
    Record record = bounce("jan@example.test", "A-1");
    Record& item = record.at("Data").records.front();
    item.set("CustomerDataColumnId", Null{});
    item.set("Name", std::move(name));
    return record;
  };
  EXPECT_NE(key_of(named("OrderNumber")), key_of(named("TicketNumber")));
}

TEST(Tables, MakeABouncersKeyWhateverTheOrderOfItsData) {
  Record one = bounce("jan@example.test", "A-1");
  Record& item = one.at("Data").records.emplace_back(customer_data());
  item.set("CustomerDataColumnId", std::int64_t{8});
  item.set("Value", "secret, of today's writing"s);
  Record other = one;
  std::swap(other.at("Data").records[0], other.at("Data").records[1]);
  EXPECT_EQ(key_of(one), key_of(other));
  item.set("IsEncrypted", true);
  const Value encrypted = key_of(one);
  item.set("Value", "secret, of tomorrow's writing"s);
  EXPECT_EQ(key_of(one), encrypted);
}

TEST(Tables, DigestContent) {
  const Record full = full_record(customer());
  Record other = full;
  EXPECT_EQ(digest_of(full), digest_of(other));
  EXPECT_EQ(digest_of(full).size(), 32U);
  other.at("Answers").records[1].set("Text", "changed"s);
  EXPECT_NE(digest_of(full), digest_of(other));
}

TEST(Tables, DigestsTellApartWhatStandsInAnotherField) {
  Record one(bouncer()), other(bouncer());
  one.set("Reason", "a"s);
  other.set("Exception", "a"s);
  EXPECT_NE(digest_of(one), digest_of(other));
  one.set("Exception", "bc"s);
  other = one;
  other.set("Reason", "ab"s);
  other.set("Exception", "c"s);
  EXPECT_NE(digest_of(one), digest_of(other));
}

TEST(Tables, DigestsAreTheSameInWhateverOrderFieldsCome) {
  Record one(bouncer()), other(bouncer());
  one.set("Reason", "a"s);
  one.set("Exception", "b"s);
  other.set("Exception", "b"s);
  other.set("Reason", "a"s);
  EXPECT_EQ(digest_of(one), digest_of(other));
  other.set("Email", Null{});
  EXPECT_EQ(digest_of(one), digest_of(other)) << "an empty field is an absent one";
}

}  // namespace
}  // namespace surveybridge::mapping
