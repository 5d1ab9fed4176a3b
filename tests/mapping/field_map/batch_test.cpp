#include "mapping/field_map/batch.hpp"

#include <gtest/gtest.h>

#include "mapping/codec/codec.hpp"
#include "mapping/values/dates.hpp"

namespace surveybridge::mapping {
namespace {

using namespace std::chrono;
using namespace std::string_literals;

const std::string kBatchZone = "Europe/Amsterdam";
// Ten minutes to midnight in UTC; the next day in local time.
const Instant kNow = sys_days{2026y / 10 / 24} + 23h + 50min;

Record with_email(std::string email) {
  Record record(import_customer());
  record.set("Email", std::move(email));
  return record;
}

TEST(Batch, SendsOnlyWhatIsSet) {
  const Record batch = batch_of({}, {with_email("a@b.test")}, kNow, kBatchZone);
  EXPECT_EQ(write(batch, Format::json), R"({"Customers":[{"Email":"a@b.test"}]})");
}

TEST(Batch, CarriesEverySetting) {
  config::Batch settings;
  settings.approve_automatically = true;
  settings.allow_duplicate_email = false;
  settings.is_test = true;
  settings.is_concept = false;
  settings.end_date = config::Date{local_days{2026y / 12 / 1} + 12h, {}};
  settings.send_time = "09:30";
  settings.type_batch = "email";
  settings.notification_email_addresses = {"a@b.test", "c@d.test"};
  settings.batch_name = "orders {date} of {date}";
  const Record batch = batch_of(settings, {}, kNow, kBatchZone);
  EXPECT_EQ(batch.value("ApproveAutomatically"), Value{true});
  EXPECT_EQ(batch.value("AllowDuplicateEmail"), Value{false});
  EXPECT_EQ(batch.value("IsTest"), Value{true});
  EXPECT_EQ(batch.value("IsConcept"), Value{false});
  EXPECT_EQ(batch.value("EndDate"), Value{Instant{sys_days{2026y / 12 / 1} + 11h}});
  EXPECT_EQ(batch.value("TypeBatch"), Value{"email"s});
  EXPECT_EQ(batch.value("NotificationEmailAddresses"), Value{"a@b.test,c@d.test"s});
  EXPECT_EQ(batch.value("BatchName"), Value{"orders 2026-10-25 of 2026-10-25"s});
  // The clocks were put back that night: half past nine is an hour later in UTC than the day
  // before.
  EXPECT_EQ(batch.value("SendTime"), Value{Instant{sys_days{2026y / 10 / 25} + 8h + 30min}});
}

TEST(Batch, KeepsAnEndDateWithItsOffset) {
  config::Batch settings;
  settings.end_date = config::Date{local_days{2026y / 12 / 1} + 12h, minutes{-90}};
  EXPECT_EQ(batch_of(settings, {}, kNow, kBatchZone).value("EndDate"),
            Value{Instant{sys_days{2026y / 12 / 1} + 13h + 30min}});
}

TEST(Batch, FitsByCount) {
  const std::vector<Record> customers(5, with_email("a@b.test"));
  EXPECT_EQ(fit(customers, 3, 1'000'000), 3U);
  EXPECT_EQ(fit(customers, 5, 1'000'000), 5U);
  EXPECT_EQ(fit(customers, 200, 1'000'000), 5U);
}

TEST(Batch, FitsByBytes) {
  const std::vector<Record> customers(5, with_email("a@b.test"));
  const std::size_t one = write(customers[0], Format::json).size() + 1;
  EXPECT_EQ(fit(customers, 200, 3 * one), 3U);
  EXPECT_EQ(fit(customers, 200, 3 * one - 1), 2U);
}

TEST(Batch, HoldsACustomerHoweverLarge) {
  EXPECT_EQ(fit({with_email("a@b.test"), with_email("c@d.test")}, 200, 1), 1U);
}

}  // namespace
}  // namespace surveybridge::mapping
