#include "daemon/names_job.hpp"

#include "daemon/backoff.hpp"
#include "daemon/fault.hpp"

namespace surveybridge::daemon {
namespace {

using service::Trouble;

constexpr Duration kEvery = std::chrono::hours{1};

// The document does not show where statuses are. A service that has them nowhere, or not for us, is
// one all the same, whatever it answers instead: names are a comfort.
bool has_none(Trouble::Kind kind) {
  return kind == Trouble::Kind::misplaced || kind == Trouble::Kind::forbidden ||
         kind == Trouble::Kind::rejected || kind == Trouble::Kind::malformed;
}

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
    : desk_(shared), chance_(seed), complaint_(shared.log, name_) {
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
  const Place place(desk_.pace());
  auto answer = (desk_.api().*list.read)(now);
  std::vector<mapping::Record> records;
  if (const auto* trouble = std::get_if<Trouble>(&answer)) {
    if (!has_none(trouble->kind)) return give_way(list, *trouble, now);
    complaint_.meet(Log::Level::warn, std::string("the service has no list of ") + list.name);
  } else {
    records = std::get<std::vector<mapping::Record>>(std::move(answer));
    standing_.trouble.clear();
    standing_.fault = Standing::Fault::none;
    failures_ = 0;
    complaint_.over();
  }
  crm::PulledTables tables(desk_.database(), list.resource(), {});
  crm::Walk walk = tables.load(list.name, kWalk);
  walk.finished_at = today;
  tables.save(records, walk, std::nullopt);
  standing_.done += static_cast<std::int64_t>(records.size());
  read_.insert(list.name);
  return now;
}

TimePoint NamesJob::give_way(const List& list, const Trouble& trouble, TimePoint now) {
  standing_.fault = fault_of(trouble.kind);
  standing_.trouble =
      std::string(list.name) + ": " + to_string(trouble.kind) + ": " + trouble.detail;
  complaint_.meet(level_of(standing_.fault), standing_.trouble);
  const Duration floor = trouble.wait.value_or(service::Wait{0});
  if (floor > Duration{0}) desk_.pace().hold(now + floor);
  return now + backoff(++failures_, chance_.unit(), floor);
}

}  // namespace surveybridge::daemon
