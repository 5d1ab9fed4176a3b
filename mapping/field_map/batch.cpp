#include "mapping/field_map/batch.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "config/clock.hpp"
#include "mapping/codec/codec.hpp"
#include "mapping/field_map/constant.hpp"
#include "mapping/values/dates.hpp"

namespace surveybridge::mapping {

namespace {

std::string joined(const std::vector<std::string>& addresses) {
  return fmt::format("{}", fmt::join(addresses, ","));
}

std::string dated(std::string name, LocalTime now) {
  constexpr std::string_view kDate = "{date}";
  const std::string date = write_local(now).substr(0, 10);
  for (auto at = name.find(kDate); at != std::string::npos; at = name.find(kDate, at)) {
    name.replace(at, kDate.size(), date);
    at += date.size();
  }
  return name;
}

void set_flag(Record& batch, std::string_view field, const std::optional<bool>& flag) {
  if (flag) batch.set(field, *flag);
}

void set_text(Record& batch, std::string_view field, std::string text) {
  if (!text.empty()) batch.set(field, std::move(text));
}

}  // namespace

Record batch_of(const config::Batch& settings, std::vector<Record> customers, Instant now,
                const std::string& zone) {
  const LocalTime local = to_zone(now, zone);
  Record batch(import_batch());
  set_flag(batch, "ApproveAutomatically", settings.approve_automatically);
  set_flag(batch, "IsTest", settings.is_test);
  set_flag(batch, "AllowDuplicateEmail", settings.allow_duplicate_email);
  set_flag(batch, "IsConcept", settings.is_concept);
  set_text(batch, "TypeBatch", settings.type_batch);
  set_text(batch, "NotificationEmailAddresses", joined(settings.notification_email_addresses));
  set_text(batch, "BatchName", dated(settings.batch_name, local));
  if (settings.end_date) batch.set("EndDate", instant_of(*settings.end_date, zone));
  if (const auto time = config::read_time_of_day(settings.send_time))
    batch.set("SendTime", in_zone(std::chrono::floor<std::chrono::days>(local) + *time, zone));
  batch.at("Customers").records = std::move(customers);
  return batch;
}

std::size_t fit(const std::vector<Record>& customers, std::size_t size, std::size_t bytes) {
  std::size_t used = 0, count = 0;
  for (; count < std::min(size, customers.size()); ++count) {
    used += write(customers[count], Format::json).size() + 1;  // and its comma
    if (used > bytes) break;
  }
  return std::max<std::size_t>(count, 1);
}

}  // namespace surveybridge::mapping
