// Records read from the tables of a real database equal the records that were stored.
#include "connectors/crm/pulled/stored_records.hpp"

#include <gmock/gmock.h>

#include "connectors/crm/pulled/record_store.hpp"
#include "tests/crm/conformance.hpp"
#include "tests/crm/records.hpp"

namespace surveybridge::crm {
namespace {

using mapping::Record;
using testing::ElementsAre;
using testing::IsEmpty;

class StoredRecords : public OnOurTables {
 protected:
  void keep(const mapping::Resource& root, std::vector<Record> records) {
    store(database, page_of(root, records, database.now()));
  }
  Database& database = open();
};

// A note's CustomerId is its customer's key.
Record record_of(const mapping::Resource& root, std::int64_t seed) {
  Record record = filled(root, seed);
  if (!root.find("FormNotes")) return record;
  for (Record& note : record.at("FormNotes").records)
    note.set("CustomerId", seed);
  return record;
}

TEST_P(StoredRecords, AreWhatWentInOfEveryKind) {
  for (const auto* root : {&mapping::customer(), &mapping::rating(), &mapping::bouncer(),
                           &mapping::status(), &mapping::data_column()}) {
    const Record one = record_of(*root, 1), two = record_of(*root, 2), three = record_of(*root, 3);
    keep(*root, {one, two, three});
    const auto found =
        stored_records(database, *root, {mapping::key_of(one), mapping::key_of(three)});
    EXPECT_THAT(found, testing::UnorderedElementsAre(one, three)) << root->name;
  }
}

TEST_P(StoredRecords, AreAsBareAsTheyWere) {
  keep(mapping::customer(), {bare_customer(1), full_customer(2)});
  EXPECT_THAT(stored_records(database, mapping::customer(), {std::int64_t{1}}),
              ElementsAre(bare_customer(1)));
}

TEST_P(StoredRecords, AreNoneForKeysThatNobodyKnows) {
  keep(mapping::customer(), {bare_customer(1)});
  EXPECT_THAT(stored_records(database, mapping::customer(), {std::int64_t{9}}), IsEmpty());
  EXPECT_THAT(stored_records(database, mapping::customer(), {}), IsEmpty());
}

TEST_P(StoredRecords, AreAllOfThemHoweverMany) {
  std::vector<Record> many;
  std::vector<Value> keys;
  for (std::int64_t id = 1; id <= 250; ++id) {
    many.push_back(record_of(mapping::rating(), id));
    keys.emplace_back(id);
  }
  keep(mapping::rating(), many);
  EXPECT_THAT(stored_records(database, mapping::rating(), keys),
              testing::UnorderedElementsAreArray(many));
}

// Somebody else has stored it since the page was looked at: then the page is stored as a whole
// again.
TEST_P(StoredRecords, AreNotInsertedTwice) {
  keep(mapping::customer(), {bare_customer(1)});
  std::vector<Record> records{bare_customer(1), bare_customer(2)};
  Page page = page_of(mapping::customer(), records, database.now());
  page.replaced.emplace();
  {
    Transaction transaction(database);
    try {
      store(database, page);
      ADD_FAILURE() << "stored";
    } catch (const DatabaseError& error) {
      EXPECT_EQ(error.kind, DatabaseError::Kind::constraint);
    }
  }
  page.replaced.reset();
  store(database, page);
  EXPECT_THAT(stored_records(database, mapping::customer(), {std::int64_t{1}, std::int64_t{2}}),
              testing::UnorderedElementsAreArray(records));
}

// The last of those with one key stays; those that are stored stand behind the others.
TEST_P(StoredRecords, AreTakenOutOfAPage) {
  keep(mapping::customer(), {bare_customer(1), bare_customer(2)});
  Record changed = full_customer(2);
  std::vector<Record> records{bare_customer(1), full_customer(3), full_customer(1),
                              bare_customer(1), changed};
  EXPECT_EQ(keep_latest(records), 2);
  EXPECT_THAT(records, ElementsAre(full_customer(3), bare_customer(1), changed));
  Page page = page_of(mapping::customer(), records, database.now());
  EXPECT_EQ(drop_stored(database, page, records), 1);
  EXPECT_THAT(records, ElementsAre(full_customer(3), changed, bare_customer(1)));
  EXPECT_EQ(page.records.size(), 2u);
  EXPECT_EQ(page.digests,
            (std::vector{mapping::digest_of(full_customer(3)), mapping::digest_of(changed)}));
  EXPECT_EQ(page.replaced, (std::vector<Value>{std::int64_t{2}}));
}

INSTANTIATE_TEST_SUITE_P(Databases, StoredRecords, every_dialect(), server_name);

}  // namespace
}  // namespace surveybridge::crm
