// Write-backs into a CRM that is another database than the store: queued with their page, written
// afterwards, as they are stored then.
#include "connectors/crm/pulled/write_queue.hpp"

#include <gmock/gmock.h>

#include "connectors/crm/erasure/forget.hpp"
#include "connectors/crm/schema/schema.hpp"
#include "tests/crm/pulled/write_back_fixture.hpp"
#include "tests/support/temporary_folder.hpp"

namespace surveybridge::crm {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// `database` is the CRM.
class WriteQueues : public WriteBack {
 protected:
  WriteQueues() { make_schema(*store); }

  void save(const std::vector<Record>& records) {
    PullStore(*store, mapping::customer(), writes, "UTC", {}, CrmPlace::apart)
        .save(records, walk_of_all(), std::nullopt);
  }
  std::int64_t write(const WriteBackStore::Right& right = {}) {
    WrittenBack written;
    return WriteBackStore(database, *store, mapping::customer(), writes)
        .write_queued("customers", right, written);
  }
  std::int64_t queued() {
    const auto backlogs = write_backlogs(*store);
    return backlogs.empty() ? 0 : backlogs.front().entries;
  }

  support::TemporaryFolder folder;
  std::unique_ptr<Database> store = open_database("sqlite3://" + folder.path() + "/store.db");
  std::vector<config::Write> writes = {score_of_order()};
};
INSTANTIATE_TEST_SUITE_P(Databases, WriteQueues, every_dialect(), server_name);

TEST_P(WriteQueues, AreFilledWithAPageAndWrittenAfterwards) {
  save({answered(1, "1", kGood), answered(2, "2", std::int64_t{5})});
  EXPECT_EQ(queued(), 2);
  EXPECT_THAT(column("score"), ElementsAre(Value{Null{}}, Value{Null{}}, Value{Null{}}));
  EXPECT_EQ(write(), 2);
  EXPECT_EQ(queued(), 0);
  EXPECT_THAT(column("score"), ElementsAre(Value{kGood}, Value{std::int64_t{5}}, Value{Null{}}));
  EXPECT_EQ(write(), 0);
  save({answered(1, "1", kGood)});
  EXPECT_EQ(queued(), 0) << "nothing has changed";
}

TEST_P(WriteQueues, AreWrittenAsTheRecordIsStoredThen) {
  save({answered(1, "1", std::int64_t{1})});
  save({answered(1, "1", std::int64_t{2})});
  EXPECT_EQ(queued(), 2);
  EXPECT_EQ(write(), 2);
  EXPECT_EQ(column("score").front(), Value{std::int64_t{2}});
}

// A page is stored between the two transactions of a write.
TEST_P(WriteQueues, KeepWhatIsQueuedWhileOthersAreWritten) {
  save({answered(1, "1", std::int64_t{1})});
  write({{}, [this] {
           save({answered(1, "1", std::int64_t{2})});
           return true;
         }});
  EXPECT_EQ(queued(), 1);
  EXPECT_EQ(write(), 1);
  EXPECT_EQ(column("score").front(), Value{std::int64_t{2}});
}

TEST_P(WriteQueues, AreNotWrittenByWhoLostTheRight) {
  save({answered(1, "1", kGood)});
  EXPECT_THROW(write({{}, [] { return false; }}), DatabaseError);
  EXPECT_EQ(column("score").front(), Value{Null{}}) << "rolled back";
  EXPECT_EQ(queued(), 1) << "somebody else writes it";
}

// Another daemon took the lease after this one had written.
TEST_P(WriteQueues, StayFullWhereTheLeaseIsLost) {
  save({answered(1, "1", kGood)});
  Leases leases(*store);
  const auto lease = leases.take("write.customers", "one", std::chrono::seconds{60});
  leases.release(*lease);
  ASSERT_TRUE(leases.take("write.customers", "two", std::chrono::seconds{60}));
  EXPECT_THROW(write({lease, {}}), LeaseLost);
  EXPECT_EQ(queued(), 1);
}

TEST_P(WriteQueues, LeaveOutWhatTheCrmRefuses) {
  save({answered(1, "1", std::int64_t{100}), answered(2, "2", kGood)});
  EXPECT_EQ(write(), 2);
  EXPECT_THAT(column("score"), ElementsAre(Value{Null{}}, Value{kGood}, Value{Null{}}));
  EXPECT_EQ(queued(), 0) << "a row of the CRM that refuses must not hold up the others";
}

TEST_P(WriteQueues, AreEmptiedOfAPersonWhoIsForgotten) {
  Record ann = answered(1, "1", kGood), bob = answered(2, "2", kGood);
  ann.set("Email", std::string{"ann@example.test"});
  bob.set("Email", std::string{"bob@example.test"});
  save({ann, bob});
  ASSERT_EQ(write(), 2);
  ann.set("Priority", std::int64_t{3});
  save({ann});
  ASSERT_EQ(queued(), 1);
  auto compiled = compile(database, mapping::customer(), score_of_order(), "UTC");
  const Erased erased =
      forget(*store, database, "hash", "ann@example.test", {},
             {{&mapping::customer(), std::get<CompiledWrite>(std::move(compiled)), "write"}});
  EXPECT_EQ(erased.customers, 1);
  ASSERT_EQ(erased.emptied.size(), 1u);
  EXPECT_EQ(erased.emptied.front().rows, 1);
  write();
  EXPECT_EQ(queued(), 0);
  EXPECT_THAT(column("score"), ElementsAre(Value{Null{}}, Value{kGood}, Value{Null{}}))
      << "what was queued brings nothing back";
}

// After a crash between the two transactions nobody knows who has made a row.
TEST_P(WriteQueues, KnowTheRowsThatTheyHaveMadeUnlessACrashWasBetween) {
  writes[0].insert = true;
  writes[0].forget = config::Write::Forget::deletes;
  Record ann = answered(1, "7", kGood), bob = answered(2, "8", kGood);
  ann.set("Email", std::string{"ann@example.test"});
  bob.set("Email", std::string{"bob@example.test"});
  save({ann});
  EXPECT_EQ(write(), 1);
  save({bob});
  Leases leases(*store);
  const auto lost = leases.take("write.customers", "one", std::chrono::seconds{60});
  leases.release(*lost);
  ASSERT_TRUE(leases.take("write.customers", "two", std::chrono::seconds{60}));
  EXPECT_THROW(write({lost, {}}), LeaseLost);
  EXPECT_EQ(column("score").size(), 5u);
  EXPECT_EQ(write(), 1);
  const auto erased = [&](const std::string& address) {
    auto compiled = compile(database, mapping::customer(), writes[0], "UTC");
    return forget(*store, database, address, address, {},
                  {{&mapping::customer(), std::get<CompiledWrite>(std::move(compiled)), "write"}})
        .emptied.at(0);
  };
  EXPECT_EQ(erased("ann@example.test").deleted, 1);
  const Emptied of_bob = erased("bob@example.test");
  EXPECT_EQ(of_bob.deleted, 0);
  EXPECT_EQ(of_bob.rows, 1);
  EXPECT_EQ(column("score").size(), 4u);
}

}  // namespace
}  // namespace surveybridge::crm
