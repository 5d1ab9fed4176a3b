#include "mapping/interface/resource.hpp"

#include <set>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "mapping/interface/record.hpp"

namespace surveybridge::mapping {
namespace {

const Resource* const kRoots[] = {&import_batch(), &customer(),    &rating(),
                                  &bouncer(),      &data_column(), &status()};

template <typename Visit>
void each_field(const Resource& resource, const Visit& visit) {
  for (const Field& field : resource.fields) {
    visit(resource, field);
    if (field.of != nullptr) each_field(*field.of, visit);
  }
}

TEST(Resource, HoldsEveryFieldOfTheDocument) {
  const struct {
    const Resource& resource;
    std::size_t fields;
  } counts[] = {
      {import_batch(), 10}, {import_customer(), 11}, {customer_data(), 6}, {customer(), 34},
      {rating(), 7},        {bouncer(), 12},         {data_column(), 5},   {status(), 2}};
  for (const auto& [resource, fields] : counts) {
    EXPECT_EQ(resource.fields.size(), fields) << resource.name;
  }
}

TEST(Resource, FindsAFieldWithoutRegardToCase) {
  for (const auto* name : {"Email", "email", "EMAIL", "eMaIL", "E-mail"}) {
    ASSERT_NE(customer().find(name), nullptr) << name;
    EXPECT_EQ(customer().find(name)->name, "Email");
  }
  for (const auto* name : {"", "_", "Emai", "Emails", "E.mail", "Ema\xC4\xB1l"}) {
    EXPECT_EQ(customer().find(name), nullptr) << name;
  }
}

// One that an opt-out stands on must not be passed over.
TEST(Resource, FindsAFieldWhateverJoinsTheWordsOfItsName) {
  for (const auto* name : {"OptedOutDate", "opted_out_date", "OPTED_OUT_DATE", "opted-out-date"}) {
    ASSERT_NE(customer().find(name), nullptr) << name;
    EXPECT_EQ(customer().find(name)->name, "OptedOutDate");
  }
  EXPECT_EQ(customer().find("opted_out")->name, "OptedOut");
}

TEST(Resource, KnowsThePositionOfItsFields) {
  EXPECT_EQ(rating().index(*rating().find("Id")), 0U);
  EXPECT_EQ(rating().index(*rating().find("Reactions")), 6U);
}

TEST(Resource, DescribesObjectsAndGivesEveryListAnItemElement) {
  for (const Resource* root : kRoots) {
    each_field(*root, [](const Resource& resource, const Field& field) {
      SCOPED_TRACE(std::string(resource.name) + "." + std::string(field.name));
      EXPECT_EQ(field.type == Type::object, field.of != nullptr);
      EXPECT_EQ(field.list, !field.xml_item.empty());
    });
  }
}

TEST(Resource, StoresEveryListThatIsReadInATableOfItsOwn) {
  std::set<std::string_view> tables;
  for (const Resource* root : {&customer(), &rating(), &bouncer(), &data_column(), &status()}) {
    EXPECT_TRUE(tables.insert(root->table).second) << root->table;
    each_field(*root, [&](const Resource&, const Field& field) {
      EXPECT_EQ(field.list, !field.table.empty()) << field.name;
      EXPECT_TRUE(!field.list || tables.insert(field.table).second) << field.table;
    });
  }
  EXPECT_EQ(
      tables,
      (std::set<std::string_view>{
          "survey_customer", "survey_customer_data", "survey_answer", "survey_answer_category",
          "survey_answer_scale_position", "survey_answer_file", "survey_customer_note",
          "survey_rating", "survey_rating_data", "survey_rating_answer", "survey_rating_reaction",
          "survey_bouncer", "survey_bouncer_data", "survey_status", "survey_data_column"}));
}

TEST(Record, HasASlotForEveryField) {
  const Record record(rating());
  EXPECT_EQ(record.slots.size(), 7U);
  EXPECT_TRUE(is_null(record.value("Id")));
  EXPECT_TRUE(record.at("Answers").records.empty());
}

TEST(Record, IsTheSameWhicheverWayItWasFilled) {
  Record left(rating()), right(rating());
  left.set("Id", std::int64_t{1});
  left.set("FinishedDate", Null{});
  left.set("TransactionDate", Instant{});
  right.set("TransactionDate", Instant{});
  EXPECT_NE(left, right);
  EXPECT_NE(right, left);
  right.set("Id", std::int64_t{1});
  right.at("Answers").records.clear();
  EXPECT_EQ(left, right);
  EXPECT_EQ(right, left);
  right.slots.trim();
  EXPECT_EQ(right.value("Id"), Value{std::int64_t{1}});
  EXPECT_NE(left, Record(bouncer()));
}

TEST(Record, KeepsItsSlotsInTheOrderOfFields) {
  Slots slots(Slots::kMost);
  for (const std::size_t field : {63U, 0U, 31U, 32U, 1U})
    slots[field].value = static_cast<std::int64_t>(field);
  for (const std::size_t field : {0U, 1U, 31U, 32U, 63U})
    EXPECT_EQ(std::as_const(slots)[field].value, Value{static_cast<std::int64_t>(field)});
  EXPECT_EQ(std::as_const(slots)[2].value, Value{Null{}});
  EXPECT_THROW(Slots(Slots::kMost + 1), std::length_error);
}

TEST(Record, IsComparedAsAValueToItsDepth) {
  Record left(rating());
  left.at("Answers").records.emplace_back(*rating().find("Answers")->of);
  Record right = left;
  EXPECT_EQ(left, right);
  right.at("Answers").records[0].set("Score", std::int64_t{5});
  EXPECT_NE(left, right);
}

TEST(Record, ThrowsForAFieldThatTheDescriptionLacks) {
  Record record(rating());
  EXPECT_THROW(record.at("Stauts"), std::out_of_range);
  EXPECT_THROW(record.set("", true), std::out_of_range);
}

}  // namespace
}  // namespace surveybridge::mapping
