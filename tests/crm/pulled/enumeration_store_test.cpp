#include "connectors/crm/pulled/enumeration_store.hpp"

#include <gmock/gmock.h>

#include "connectors/crm/pulled/pull_store.hpp"
#include "connectors/crm/schema/schema.hpp"
#include "tests/crm/conformance.hpp"
#include "tests/crm/records.hpp"

namespace surveybridge::crm {
namespace {

using mapping::Enumerator;
using mapping::Null;
using mapping::Record;
using testing::ElementsAre;
using testing::IsEmpty;

const std::string kForm = "Customer.FormStatus", kNote = "FormNote.Type";

class EnumerationStoreTests : public OnEveryDatabase {
 protected:
  EnumerationStoreTests() { make_schema(database); }

  static Record customer(std::int64_t id, Enumerator form, const Enumerator& note) {
    Record one = bare_customer(id);
    one.set("FormStatus", std::move(form));
    one.at("FormNotes").records.emplace_back(*one.resource->find("FormNotes")->of);
    one.at("FormNotes").records[0].set("Type", note);
    return one;
  }
  Saved save(const std::vector<Record>& records) {
    return PullStore(database, mapping::customer(), {})
        .save(records, {"customers", "x", {}, {}, "", {}, 1, 0, {}, ""}, std::nullopt);
  }
  std::vector<std::vector<Value>> stored() {
    return database
        .query({"SELECT form_status, form_status_name, type, type_name FROM survey_customer c JOIN"
                " survey_customer_note n ON n.customer_id = c.id ORDER BY c.id",
                {}})
        .rows;
  }
  std::vector<std::int64_t> to_ask() { return EnumerationStore(database).to_ask().customers; }
  void learn(const std::set<mapping::EnumerationPair>& choices) {
    EnumerationStore store(database);
    store.learn(choices, store.to_ask().values);
  }

  Database& database = open();
};

const Value kNull = Null{}, kOne = std::int64_t{1}, kTwo = std::int64_t{2},
            kNew = std::string("New"), kByUser = std::string("ByUser");

TEST_P(EnumerationStoreTests, CompleteTheRowsThatAreStoredAndThoseThatCome) {
  const Record by_number = customer(7, {1, ""}, {2, ""}),
               by_name = customer(8, {std::nullopt, "New"}, {std::nullopt, "ByUser"});
  save({by_number, by_name});
  EXPECT_THAT(stored(), ElementsAre(ElementsAre(kOne, kNull, kTwo, kNull),
                                    ElementsAre(kNull, kNew, kNull, kByUser)));
  EXPECT_THAT(to_ask(), ElementsAre(7, 8));
  learn({{kForm, 1, "New"}, {kNote, 2, "ByUser"}});
  const auto whole = ElementsAre(kOne, kNew, kTwo, kByUser);
  EXPECT_THAT(stored(), ElementsAre(whole, whole));
  EXPECT_THAT(to_ask(), IsEmpty());
  save({customer(9, {1, ""}, {std::nullopt, "ByUser"})});
  EXPECT_THAT(stored(), ElementsAre(whole, whole, whole));
}

TEST_P(EnumerationStoreTests, DoNotHaveUnchangedRowsWrittenForEver) {
  const Record by_number = customer(7, {1, ""}, {2, ""}),
               by_name = customer(8, {std::nullopt, "New"}, {std::nullopt, "ByUser"});
  save({by_number, by_name});
  learn({{kForm, 1, "New"}, {kNote, 2, "ByUser"}});
  EXPECT_EQ(save({by_number}).changed, 0) << "its number is what it was";
  EXPECT_EQ(save({by_name}).changed, 1) << "it has a number now";
  EXPECT_EQ(save({by_number, by_name}).changed, 0);
  EXPECT_EQ(save({customer(7, {std::nullopt, "New"}, {2, ""})}).changed, 0)
      << "the same in the other format";
}

TEST_P(EnumerationStoreTests, AreTriedTenTimesAndLeftAloneThen) {
  save({customer(7, {1, ""}, {2, "whole"})});
  for (int tries = 0; tries < 10; ++tries) {
    EXPECT_THAT(to_ask(), ElementsAre(7)) << tries;
    learn({});
  }
  EXPECT_THAT(to_ask(), IsEmpty());
  save({customer(8, {3, ""}, {2, "whole"})});
  EXPECT_THAT(to_ask(), ElementsAre(8)) << "a value that is new";
  EXPECT_THAT(stored().front(), ElementsAre(kOne, kNull, kTwo, Value{std::string("whole")}));
}

TEST_P(EnumerationStoreTests, GiveWayToALaterMeaning) {
  learn({{kForm, 1, "New"}});
  learn({{kForm, 1, "Fresh"}});
  save({customer(7, {1, ""}, {2, "x"}), customer(8, {std::nullopt, "New"}, {2, "x"})});
  EXPECT_EQ(stored()[0][1], Value{std::string("Fresh")});
  EXPECT_EQ(stored()[1][0], kNull) << "kept as it came";
}

TEST_P(EnumerationStoreTests, OfAServiceThatInventsThemAreBounded) {
  std::vector<Record> many;
  for (int i = 0; i < 250; ++i)
    many.push_back(customer(i, {std::nullopt, "Name" + std::to_string(i)}, {2, "x"}));
  save(many);
  const auto rows = database.query({"SELECT value FROM survey_enumeration", {}}).rows;
  EXPECT_EQ(rows.size(), 200U);
  EXPECT_EQ(to_ask().size(), 20U);
  EXPECT_EQ(stored().size(), 250U);
}

INSTANTIATE_TEST_SUITE_P(Databases, EnumerationStoreTests, every_database(), server_name);

}  // namespace
}  // namespace surveybridge::crm
