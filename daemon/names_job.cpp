#include "daemon/names_job.hpp"

#include "daemon/backoff.hpp"
#include "daemon/fault.hpp"

namespace surveybridge::daemon {
namespace {

using service::Trouble;

constexpr Duration kEvery = std::chrono::hours{1};

const std::string kWalk = "all";

}  // namespace

struct NamesJob::List {
  const char* name;  // in survey_cursor
  const mapping::Resource& (*resource)();
  std::variant<std::vector<mapping::Record>, Trouble> (service::Api::*read)(mapping::Instant);
};

const NamesJob::List NamesJob::kLists[2] = {
    {"statuses", mapping::status, &service::Api::statuses},
    {"data columns", mapping::data_column, &service::Api::data_columns},
};

NamesJob::NamesJob(const Shared& shared, std::uint64_t seed)
    : desk_(shared),
      patience_(shared.log, name_, shared.pace, standing_, seed),
      missing_(shared.log, name_) {
  standing_.unit = "names";
}

TimePoint NamesJob::step(TimePoint now) {
  desk_.open();
  const TimePoint today = desk_.database().now();
  TimePoint next = kNever;
  for (const List& list : kLists) {
    const TimePoint at = due(list, today);
    if (at <= today) return read(list, now, today);
    if (at != kNever) next = std::min(next, now + (at - today));
  }
  standing_.caught_up = true;
  return next;
}

TimePoint NamesJob::due(const List& list, TimePoint today) {
  if (desk_.once()) return read_.contains(list.name) ? kNever : today;
  crm::PulledTables tables(desk_.database(), list.resource(), {});
  const auto read_at = tables.load(list.name, kWalk).finished_at;
  return read_at ? *read_at + kEvery : today;
}

TimePoint NamesJob::read(const List& list, TimePoint now, TimePoint today) {
  standing_.caught_up = false;
  if (const auto later = desk_.pace().attempt(now, {name_, Lane::read})) return *later;
  const Place place(desk_.pace(), Lane::read);
  auto answer = (desk_.api().*list.read)(now);
  std::vector<mapping::Record> records;
  if (const auto* trouble = std::get_if<Trouble>(&answer)) {
    const Retry retry = retry_after(Operation::names, *trouble);
    if (retry.then != Retry::Then::go_without) {
      return patience_.bear(retry, *trouble, now, std::string(list.name) + ": ");
    }
    missing_.meet(Log::Level::warn, std::string("the service has no list of ") + list.name);
  } else {
    records = std::get<std::vector<mapping::Record>>(std::move(answer));
    patience_.well();
  }
  crm::PulledTables tables(desk_.database(), list.resource(), {});
  crm::Walk walk = tables.load(list.name, kWalk);
  walk.finished_at = today;
  tables.save(records, walk, std::nullopt);
  standing_.done += static_cast<std::int64_t>(records.size());
  read_.insert(list.name);
  return now;
}

}  // namespace surveybridge::daemon
