// An instant of the service as a date in the CRM, from the configuration to the cell.
#include <algorithm>
#include <optional>

#include "connectors/crm/erasure/forget.hpp"
#include "connectors/crm/people/people.hpp"
#include "connectors/crm/pulled/write_mark.hpp"
#include "mapping/values/person.hpp"
#include "tests/daemon/shop.hpp"

namespace {

using namespace surveybridge;

constexpr const char* kWriteBack = R"(
time_zone = "Europe/Amsterdam"
[push.orders]
brake = false
query = "SELECT id, email, delivered_at FROM orders"
key = "id"
when = "delivered_at"
start = 2026-11-01
correlate = "OrderNumber"
[push.orders.customer]
Email = "email"
TransactionDate = "delivered_at"
[push.orders.customer.Data]
OrderNumber = "id"
[pull.customers]
from = 2026-11-01
by = "TransactionDate"
[[pull.customers.write]]
table = "orders"
match = { id = "Data[OrderNumber]" }
set = { told = "TransactionDate" }
)";

class WriteBack : public in_process::Shop {};

TEST_F(WriteBack, WritesTheDayThatItWasInTheCrmsZone) {
  settings_ = in_process::settings_of(kWriteBack);
  order("1");
  sql("UPDATE orders SET delivered_at = '2026-11-09T23:30:00Z'");  // the tenth in Amsterdam
  sql("ALTER TABLE orders ADD COLUMN told date");
  sync();
  sync();
  const auto told = crm_->query({"SELECT CAST(told AS text) FROM orders", {}}).rows.at(0).at(0);
  ASSERT_TRUE(std::holds_alternative<std::string>(told));
  EXPECT_EQ(std::get<std::string>(told).substr(0, 10), "2026-11-10");
}

// A person whom `forget` could only mark, because a database was away, say. A page that lists them
// erases what is stored of them, and then `forget` does not find any more what it is to empty.
class WriteBackOfTheForgotten : public WriteBack, public testing::WithParamInterface<bool> {
 protected:
  WriteBackOfTheForgotten() {
    settings_ = in_process::settings_of(std::string(kWriteBack) + "forget = true\n");
    settings_.pulls.at(0).overlap = std::chrono::hours{24 * 3650};
    order("1");
    order("2");
    sql("ALTER TABLE orders ADD COLUMN told date");
    if (!GetParam()) return;
    outside_.database = folder_.path() + "/store.db";
    outside_.crm = connection_;
  }
};

TEST_P(WriteBackOfTheForgotten, IsEmptiedByThePageThatErasesTheirRecord) {
  for (int round = 0; round < 3; ++round)
    sync();
  const std::string told = "SELECT COUNT(*) FROM orders WHERE told IS NOT NULL";
  ASSERT_EQ(number(told), 2);
  const auto store =
      crm::open_database(GetParam() ? "sqlite3://" + outside_.database : connection_);
  const auto person = mapping::person_of(crm::People(*store).hash_key("the key is there already"),
                                         "person1@example.test");
  crm::mark_forgotten(*store, person, "");
  sync();
  const auto stored = store->query({"SELECT COUNT(*) FROM survey_customer", {}});
  EXPECT_EQ(stored.rows.at(0).at(0), crm::Value{std::int64_t{1}});
  EXPECT_EQ(number(told), 1) << "nothing finds it any more";
  EXPECT_EQ(number(told + " AND id = '2'"), 1) << "somebody else's";
}

INSTANTIATE_TEST_SUITE_P(CrmApart, WriteBackOfTheForgotten, testing::Bool());

// The job of write-backs of a store apart, which has had nothing to do.
class RestingWriteBack : public WriteBack {
 protected:
  RestingWriteBack() {
    using in_process::Moment;
    settings_ = in_process::settings_of(kWriteBack);
    sql("ALTER TABLE orders ADD COLUMN told date");
    outside_.database = folder_.path() + "/store.db";
    outside_.crm = connection_;
    outside_.on_moment = [this](const Moment& moment) {
      writes_ += moment.what == Moment::What::write;
    };
    instance_.emplace(settings_, outside_, seed_);
    job_ = std::ranges::find_if(instance_->jobs(), [](const auto& each) {
             return each->name() == "write.customers";
           })->get();
    job_->step(clock_.now);
    writes_ = 0;
  }

  int writes_ = 0;
  std::optional<in_process::Instance> instance_;
  daemon::SupervisedJob* job_ = nullptr;
};

TEST_F(RestingWriteBack, LooksAtItsQueueWithoutALeaseWhileItRests) {
  for (int look = 0; look < 10; ++look) {
    clock_.now += std::chrono::seconds{5};
    EXPECT_EQ(job_->step(clock_.now), clock_.now + std::chrono::seconds{5});
  }
  EXPECT_EQ(writes_, 0);
  EXPECT_TRUE(job_->status().caught_up);

  crm::open_database("sqlite3://" + outside_.database)
      ->execute({"INSERT INTO survey_write_queue (list, record, queued_at) VALUES"
                 " ('customers', '1', '2026-11-10T00:00:00Z')",
                 {}});
  job_->step(clock_.now);
  EXPECT_GT(writes_, 0);

  writes_ = 0;
  clock_.now += settings_.pulls.at(0).every;
  job_->step(clock_.now);
  EXPECT_GT(writes_, 0) << "what met no row is looked for";

  writes_ = 0;
  job_->make_due();
  job_->step(clock_.now);
  EXPECT_GT(writes_, 0) << "a person has asked for it";

  clock_.now += std::chrono::hours{24 * 30};
  job_->step(clock_.now);
  clock_.now -= std::chrono::hours{24 * 30};
  writes_ = 0;
  job_->step(clock_.now);
  EXPECT_GT(writes_, 0) << "the clock was ahead for a moment";
}

TEST_F(RestingWriteBack, BeginsAnewWhileItRests) {
  const auto store = crm::open_database("sqlite3://" + outside_.database);
  store->execute(
      {"INSERT INTO survey_customer (id, digest, changed_at) VALUES (1, 'x', "
       "'2026-11-01T00:00:00Z')",
       {}});
  crm::WriteMarks(*store, "customers").begin_anew();
  writes_ = 0;
  clock_.now += std::chrono::seconds{5};
  job_->step(clock_.now);
  EXPECT_GT(writes_, 0);
}

}  // namespace
