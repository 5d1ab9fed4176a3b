#include "daemon/pull/reference_data_job.hpp"

#include "connectors/crm/pulled/pull_store.hpp"

namespace surveybridge::daemon {
namespace {

using service::Trouble;

constexpr Duration kNamesEvery = std::chrono::hours{1};

}  // namespace

struct ReferenceDataJob::List {
  const char* name;  // in survey_cursor
  const mapping::Resource& (*resource)();
  std::variant<std::vector<mapping::Record>, Trouble> (service::Api::*read)(mapping::Instant);
};

const ReferenceDataJob::List ReferenceDataJob::kLists[2] = {
    {"statuses", mapping::status, &service::Api::statuses},
    {"data columns", mapping::data_column, &service::Api::data_columns},
};

ReferenceDataJob::ReferenceDataJob(const Shared& shared, std::uint64_t seed)
    : context_(shared),
      retry_(shared.log, name_, shared.pace, status_, seed),
      missing_(shared.log, name_, shared.environment.uptime) {
  status_.unit = "names";
}

TimePoint ReferenceDataJob::step(TimePoint now) {
  context_.open();
  const TimePoint db_now = context_.database().now();
  TimePoint next = kNever;
  for (const List& list : kLists) {
    const TimePoint at = due(list.name, db_now);
    if (at <= db_now) return read(list, now, db_now);
    if (at != kNever) next = std::min(next, now + (at - db_now));
  }
  status_.caught_up = true;
  return next;
}

void ReferenceDataJob::make_due() {
  for (const List& list : kLists)
    asked_for_.insert(list.name);
}

TimePoint ReferenceDataJob::due(const std::string& list, TimePoint db_now) {
  if (context_.once()) return read_.contains(list) ? kNever : db_now;
  if (asked_for_.contains(list)) return db_now;
  crm::PullStore tables(context_.database(), mapping::status(), {});
  const auto read_at = tables.load(list, crm::kWholeListWalk).finished_at;
  return read_at && *read_at <= db_now ? *read_at + kNamesEvery : db_now;
}

void ReferenceDataJob::finish(const List& list, const std::vector<mapping::Record>& records,
                              TimePoint db_now) {
  crm::PullStore tables(context_.database(), list.resource(), {});
  crm::StoredWalk walk = tables.load(list.name, crm::kWholeListWalk);
  walk.finished_at = db_now;
  tables.save(records, walk, std::nullopt);
  read_.insert(list.name);
  asked_for_.erase(list.name);
}

TimePoint ReferenceDataJob::read(const List& list, TimePoint now, TimePoint db_now) {
  status_.caught_up = false;
  if (const auto later = context_.pace().attempt(now, {name_, RequestClass::read})) return *later;
  const RequestSlot slot(context_.pace(), RequestClass::read);
  auto answer = (context_.api().*list.read)(now);
  std::vector<mapping::Record> records;
  if (const auto* trouble = std::get_if<Trouble>(&answer)) {
    const Retry retry = retry_after(Operation::names, *trouble);
    if (retry.then != Retry::Then::go_without) {
      return retry_.failed(retry, *trouble, now, std::string(list.name) + ": ");
    }
    missing_.report(Log::Level::warn, std::string("the service has no list of ") + list.name);
  } else {
    records = std::get<std::vector<mapping::Record>>(std::move(answer));
    retry_.succeeded();
  }
  finish(list, records, db_now);
  status_.done += static_cast<std::int64_t>(records.size());
  return now;
}

}  // namespace surveybridge::daemon
