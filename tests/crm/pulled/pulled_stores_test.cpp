// What is kept beside the pulled tables, and records read back from these: what came in each hour,
// who waits for a message about a record, and what could not be read.
#include <gmock/gmock.h>

#include "connectors/crm/dialect/limits.hpp"
#include "connectors/crm/pulled/arrivals.hpp"
#include "connectors/crm/pulled/follow_up_store.hpp"
#include "connectors/crm/pulled/record_store.hpp"
#include "connectors/crm/pulled/stored_records.hpp"
#include "connectors/crm/pulled/unreadable_store.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/schema/bridge_tables.hpp"
#include "connectors/crm/schema/ledger_words.hpp"
#include "connectors/crm/schema/schema_version.hpp"
#include "tests/crm/conformance.hpp"
#include "tests/crm/records.hpp"
#include "tests/crm/turned_clock.hpp"

namespace surveybridge::crm {
namespace {

using mapping::Record;
using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

using Rows = std::vector<std::int64_t>;

class ArrivalTests : public OnOurTables {
 protected:
  void row(const std::string& push, const std::string& key, State state, Instant seen,
           Instant changed) {
    put_in_ledger(database, push, key, to_string(state), seen, changed);
  }
  TurnedClock database{open()};
  const Instant begin_ = database.time;  // a full hour
  const std::int64_t hour_ =
      std::chrono::floor<std::chrono::hours>(begin_).time_since_epoch().count();
};
INSTANTIATE_TEST_SUITE_P(Databases, ArrivalTests, every_dialect(), server_name);

TEST_P(ArrivalTests, AreTheRowsOfAPushByTheHourInWhichTheyWereMetFirst) {
  EXPECT_EQ(arrivals(database, "push.orders"), Arrivals{});
  count_arrivals(database, "orders");
  row("orders", "1", State::sent, begin_, begin_ + 5min);
  row("orders", "2", State::quarantined, begin_ + 59min, begin_ + 59min);
  row("visits", "1", State::sent, begin_, begin_);
  row("orders", "3", State::pending, begin_ + 60min, begin_ + 60min);
  row("orders", "4", State::claimed, begin_ + 3h, begin_ + 3h);
  row("orders", "5", State::in_doubt, begin_ + 3h, begin_ + 3h);
  database.advance(3h + 10min);
  count_arrivals(database, "orders");
  EXPECT_EQ(arrivals(database, "push.orders"), (Arrivals{hour_ - 1, {0, 2, 1, 0, 2}}));
  EXPECT_EQ(arrivals(database, "push.visits"), Arrivals{});
}

TEST_P(ArrivalTests, CountAnHourOnceMoreSinceRowsAreCommittedLate) {
  count_arrivals(database, "orders");
  database.advance(65min);
  count_arrivals(database, "orders");
  row("orders", "1", State::sent, begin_ + 59min, begin_ + 59min);
  database.advance(10min);
  count_arrivals(database, "orders");
  EXPECT_EQ(arrivals(database, "push.orders").rows, (Rows{0, 1, 0}));
  database.advance(60min);
  count_arrivals(database, "orders");
  EXPECT_EQ(arrivals(database, "push.orders").rows, (Rows{0, 1, 0, 0}));
}

TEST_P(ArrivalTests, AreKeptForFourteenWeeksAndNotOfTheFuture) {
  add_arrivals(database, "pull.customers.all", begin_, 1);
  add_arrivals(database, "pull.ratings.all", begin_ + 24h * 365, 1);
  row("orders", "1", State::sent, begin_, begin_);
  count_arrivals(database, "orders");
  database.advance(std::chrono::hours{kArrivalHours - 1});
  count_arrivals(database, "orders");
  EXPECT_EQ(arrivals(database, "push.orders").first, hour_);
  database.advance(1h);
  count_arrivals(database, "orders");
  const auto kept = arrivals(database, "push.orders");
  EXPECT_EQ(kept.rows.size(), static_cast<std::size_t>(kArrivalHours));
  EXPECT_EQ(kept.first, hour_ + 1);
  EXPECT_EQ(arrivals(database, "pull.customers.all"), Arrivals{});
  EXPECT_EQ(arrivals(database, "pull.ratings.all"), Arrivals{});
}

TEST_P(ArrivalTests, OfAWalkAreKeptForFourteenWeeksWithoutAPushToo) {
  const std::string job = "pull.customers.all";
  const Instant last = begin_ + std::chrono::hours{kArrivalHours};
  add_arrivals(database, job, begin_, 1);
  add_arrivals(database, job, begin_ + 1h, 2);
  add_arrivals(database, job, last, 3);
  const auto kept = arrivals(database, job);
  EXPECT_EQ(kept.first, hour_ + 1);
  EXPECT_EQ(kept.rows.size(), static_cast<std::size_t>(kArrivalHours));
}

TEST_P(ArrivalTests, AreTheRecordsOfAWalkUpToItsEnd) {
  const std::string job = "pull.customers.LastActivityDate";
  add_arrivals(database, job, begin_, 0);
  EXPECT_EQ(arrivals(database, job, begin_ + 5h), Arrivals{}) << "nothing is known";
  add_arrivals(database, job, begin_ + 1min, 3);
  add_arrivals(database, job, begin_ + 2min, 4);
  add_arrivals(database, job, begin_ + 2h, 5);
  EXPECT_EQ(arrivals(database, job), (Arrivals{hour_, {7, 0, 5}}));
  EXPECT_EQ(arrivals(database, job, begin_ + 4h), (Arrivals{hour_, {7, 0, 5, 0, 0}}));
  EXPECT_EQ(arrivals(database, job, begin_), (Arrivals{hour_, {7, 0, 5}}));
}

class FollowUpStoreTests : public OnOurTables {
 protected:
  static constexpr Instant kFound{std::chrono::sys_days{std::chrono::year{2026} / 11 / 1}};
  static FollowUp of(const std::string& record, const std::string& receiver, Instant at = kFound) {
    return {"customers", "unhappy", record, receiver, at};
  }
  std::optional<FollowUp> next(const std::string& receiver, Instant from = kFound) {
    const auto waiting = store.waiting("customers", "unhappy", receiver, from);
    return waiting.empty() ? std::nullopt : std::optional(waiting.front());
  }
  TurnedClock database{open()};
  FollowUpStore store{database};
};

TEST_P(FollowUpStoreTests, GiveEachAnswerToEachReceiverOnce) {
  store.add({of("7", "sales"), of("7", "chat"), of("8", "sales", kFound + 1h)});
  store.add({of("7", "sales", kFound + 2h), of("7", "late", kFound + 2h)});
  EXPECT_EQ(next("late"), std::nullopt) << "it was found before";
  auto first = next("sales").value();
  EXPECT_EQ(first, of("7", "sales"));
  first.claimed_at = kFound + 1min;
  EXPECT_TRUE(store.mark(first));
  EXPECT_EQ(next("sales"), first);
  first.told_at = kFound + 2min;
  EXPECT_TRUE(store.mark(first));
  EXPECT_EQ(next("sales"), of("8", "sales", kFound + 1h));
  EXPECT_EQ(next("sales", kFound + 90min), std::nullopt);
  EXPECT_EQ(next("chat"), of("7", "chat"));
}

TEST_P(FollowUpStoreTests, AreCountedWhileTheyWait) {
  const auto backlog = [&](const std::string& receiver, Instant from) {
    const auto found = store.backlog("customers", "unhappy", receiver, from);
    return found ? std::pair(found->messages, found->oldest)
                 : std::pair(std::int64_t{0}, Instant{});
  };
  EXPECT_FALSE(store.backlog("customers", "unhappy", "sales", kFound));
  store.add({of("7", "sales"), of("8", "sales", kFound + 1h), of("7", "chat")});
  EXPECT_EQ(backlog("sales", kFound), std::pair(std::int64_t{2}, kFound));
  EXPECT_EQ(backlog("sales", kFound + 1h), std::pair(std::int64_t{1}, kFound + 1h)) << "too old";
  auto first = next("sales").value();
  first.claimed_at = kFound + 1min;
  store.mark(first);
  EXPECT_EQ(backlog("sales", kFound).first, 2) << "it may not have arrived";
  first.told_at = kFound + 2min;
  store.mark(first);
  EXPECT_EQ(backlog("sales", kFound), std::pair(std::int64_t{1}, kFound + 1h));
}

TEST_P(FollowUpStoreTests, AreGivenUpOnceByRecord) {
  const Instant since = store.since("customers", "unhappy");
  const auto given_up = [&](std::chrono::hours after) {
    return store.give_up("customers", "unhappy", {"sales", "chat"}, since + after);
  };
  auto told = of("9", "chat", since + 1h);
  told.told_at = since + 1h;
  store.add({of("7", "sales", since + 1h), of("7", "chat", since + 1h), of("8", "chat", since + 2h),
             told, of("10", "gone", since + 1h)});
  EXPECT_EQ(given_up(1h), 0);
  EXPECT_EQ(given_up(2h), 1);
  EXPECT_EQ(given_up(2h), 0) << "it is known";
  EXPECT_EQ(given_up(1h), 0) << "the clock has gone back";
  EXPECT_EQ(given_up(9h), 1);
  EXPECT_EQ(store.untold("customers", "unhappy", {"sales", "chat"}, Instant{}, since + 9h), 2);
  EXPECT_EQ(store.untold("customers", "unhappy", {}, Instant{}, since + 9h), 0);
  EXPECT_EQ(store.since("customers", "unhappy"), since);
}

TEST_P(FollowUpStoreTests, GoWithTheirRecord) {
  store.add({of("7", "sales"), of("8", "sales")});
  const std::vector<Value> seven{std::int64_t{7}};
  std::size_t shown = 0;
  for (const auto& [table, rows] : rows_to_erase(database, mapping::customer(), seven))
    if (table->name == "survey_follow_up") shown += rows.rows.size();
  EXPECT_EQ(shown, 1u);
  erase(database, mapping::customer(), seven);
  EXPECT_EQ(next("sales"), of("8", "sales"));
  EXPECT_FALSE(store.mark(of("7", "sales")));
  store.remove(of("8", "sales"));
  EXPECT_EQ(next("sales"), std::nullopt);
}

TEST_P(FollowUpStoreTests, StayWhereTheyWereToldOfARecordThatIsOnlyTooOld) {
  auto told = of("7", "sales");
  told.told_at = kFound + 1min;
  store.add({told, of("7", "chat")});
  erase(database, mapping::customer(), {std::int64_t{7}}, Stays::who_was_told);
  EXPECT_EQ(next("chat"), std::nullopt);
  store.add({of("7", "sales")});
  EXPECT_EQ(next("sales"), std::nullopt) << "it was told";
  erase(database, mapping::customer(), {std::int64_t{7}});
  store.add({of("7", "sales")});
  EXPECT_EQ(next("sales"), of("7", "sales")) << "nothing is left of it";
}

// A daemon that was not stopped before `move` still looks there.
TEST_P(FollowUpStoreTests, DoNotWaitWhereTheTablesHaveMovedAway) {
  store.add({of("7", "sales")});
  upsert_rows(database, table_named("survey_seal").table,
              {{std::string(kMovedSeal), std::string("2026-11-01T00:00:00Z")}});
  EXPECT_EQ(next("sales"), std::nullopt);
  EXPECT_FALSE(store.backlog("customers", "unhappy", "sales", kFound));
}

TEST_P(FollowUpStoreTests, KnowSinceWhenTheyAreThere) {
  const Instant since = store.since("customers", "unhappy");
  database.advance(1h);
  EXPECT_EQ(store.since("customers", "unhappy"), since);
  EXPECT_GT(store.since("ratings", "unhappy"), since);
  EXPECT_EQ(next("", since), std::nullopt) << "nobody is told of that row";
  database.advance(-24h);
  EXPECT_EQ(store.since("customers", "unhappy"), database.time) << "the clock was ahead";
}

INSTANTIATE_TEST_SUITE_P(Databases, FollowUpStoreTests, every_dialect(), server_name);

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
    EXPECT_EQ(error_of([&] { store(database, page); }).kind, DatabaseError::Kind::constraint);
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

mapping::Record customer(std::int64_t id) {
  mapping::Record record(mapping::customer());
  record.set("Id", id);
  return record;
}

class UnreadableStore : public OnOurTables {
 protected:
  void keep(std::int64_t id, const std::string& rule, const std::string& raw) {
    keep_unreadable(database, "customers", {{{{"Customers[0]", rule}, customer(id), raw}}},
                    database.now(), kept_names);
  }
  KeptNames kept_names;
  Database& database = open();
};

TEST_P(UnreadableStore, CutsALongReasonBetweenCharacters) {
  std::string rule;
  while (rule.size() < kReasonBytesMax + 10)
    rule += "\u20ac";
  keep(1, rule, "{}");
  const auto text =
      std::get<std::string>(cells_in(database, "SELECT reason FROM survey_unreadable").at(0));
  EXPECT_LE(text.size(), kReasonBytesMax);
  EXPECT_TRUE(text.ends_with("\u20ac"));
}

TEST_P(UnreadableStore, KeepsTheLatestTextOfARecordUntilItIsRead) {
  keep(1, "no number", "{\"a\":1}");
  keep(1, "no number", "{\"a\":2}");
  keep(2, "no number", "{}");
  EXPECT_THAT(unreadable_counts(database), ElementsAre(UnreadableCount{"customers", 2}));
  EXPECT_THAT(cells_in(database, "SELECT raw FROM survey_unreadable WHERE record = '1'"),
              ElementsAre(Value{"{\"a\":2}"}));
  const std::vector<mapping::Record> read{customer(1), customer(2), customer(3)};
  KeptNames of_ratings;
  drop_unreadable(database, "ratings", read, of_ratings);
  EXPECT_THAT(unreadable_counts(database), ElementsAre(UnreadableCount{"customers", 2}));
  drop_unreadable(database, "customers", read, kept_names);
  EXPECT_THAT(unreadable_counts(database), IsEmpty());
  keep(3, "no number", "{}");
  drop_unreadable(database, "customers", read, kept_names);
  EXPECT_THAT(unreadable_counts(database), IsEmpty()) << "the names are not those of before";
}

TEST_P(UnreadableStore, LosesTheTextsOfRecordsThatWereLastListedLongAgo) {
  keep(1, "no number", "{}");
  const Instant now = database.now();
  const auto texts = [&] { return cells_in(database, "SELECT COUNT(raw) FROM survey_unreadable"); };
  clear_unreadable(database, "customers", now - std::chrono::hours{1});
  clear_unreadable(database, "ratings", now + std::chrono::hours{1});
  EXPECT_THAT(texts(), ElementsAre(Value{std::int64_t{1}}));
  clear_unreadable(database, "customers", now + std::chrono::hours{1});
  EXPECT_THAT(texts(), ElementsAre(Value{std::int64_t{0}}));
  EXPECT_THAT(unreadable_counts(database), ElementsAre(UnreadableCount{"customers", 1}));
}

TEST_P(UnreadableStore, CountsWhatHidesWhomNotToMail) {
  const auto of = [](std::optional<std::int64_t> id, const std::string& person) {
    mapping::Record partial(mapping::customer());
    if (id) partial.set("Id", *id);
    return UnreadRecord{
        {{"Customers[0]", "no"}, partial, "{" + person}, person, FactKind::unread_opt_out};
  };
  keep(1, "no number", "{}");
  keep_unreadable(database, "customers", {of(2, "ann"), of({}, "bob"), of({}, "")}, database.now(),
                  kept_names);
  EXPECT_THAT(unreadable_counts(database), ElementsAre(UnreadableCount{"customers", 4, 2, 1}));
  EXPECT_TRUE(kept_names.has_keyless(database, "customers"));
  reveal_keyless(database, "customers", "bob");
  EXPECT_THAT(unreadable_counts(database), ElementsAre(UnreadableCount{"customers", 4, 1, 1}));
  const std::vector<mapping::Record> read{customer(2), customer(7)};
  EXPECT_EQ(drop_unreadable(database, "customers", read, kept_names).size(), 1U);
  EXPECT_THAT(unreadable_counts(database), ElementsAre(UnreadableCount{"customers", 3, 0, 1}));
}

INSTANTIATE_TEST_SUITE_P(Databases, UnreadableStore, every_dialect(), server_name);

}  // namespace
}  // namespace surveybridge::crm
