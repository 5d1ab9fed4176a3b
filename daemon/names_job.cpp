#include "daemon/names_job.hpp"

#include "daemon/fault.hpp"
#include "daemon/pace/backoff.hpp"

namespace surveybridge::daemon {
namespace {

using service::Trouble;

constexpr Duration kEvery = std::chrono::hours{1};

const std::string kWalk = "all", kEnumerations = "enumerations";

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
    const TimePoint at = due(list.name, today);
    if (at <= today) return read(list, now, today);
    if (at != kNever) next = std::min(next, now + (at - today));
  }
  const TimePoint at = due(kEnumerations, today);
  if (at <= today) return learn(now, today);
  if (at != kNever) next = std::min(next, now + (at - today));
  standing_.caught_up = true;
  return next;
}

TimePoint NamesJob::due(const std::string& list, TimePoint today) {
  if (desk_.once()) return read_.contains(list) ? kNever : today;
  crm::PulledTables tables(desk_.database(), mapping::status(), {});
  const auto read_at = tables.load(list, kWalk).finished_at;
  return read_at && *read_at <= today ? *read_at + kEvery : today;
}

void NamesJob::finish(const std::string& list, const std::vector<mapping::Record>& records,
                      const mapping::Resource& resource, TimePoint today) {
  crm::PulledTables tables(desk_.database(), resource, {});
  crm::Walk walk = tables.load(list, kWalk);
  walk.finished_at = today;
  tables.save(records, walk, std::nullopt);
  read_.insert(list);
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
  finish(list.name, records, list.resource(), today);
  standing_.done += static_cast<std::int64_t>(records.size());
  return now;
}

// First by number, in the next step by name. A service that speaks only one of the two formats, or
// writes enumerations alike in both, teaches nothing.
TimePoint NamesJob::learn(TimePoint now, TimePoint today) {
  crm::EnumerationTable table(desk_.database());
  if (!by_number_) asked_ = table.customers_to_ask();
  if (asked_.empty()) {
    finish(kEnumerations, {}, mapping::status(), today);
    return now;
  }
  standing_.caught_up = false;
  if (const auto later = desk_.pace().attempt(now, {name_, Lane::read})) return *later;
  const Place place(desk_.pace(), Lane::read);
  const bool in_json = !by_number_;
  auto answer = ask(in_json ? mapping::Format::json : mapping::Format::xml, now);
  std::set<mapping::Choice> choices;
  if (const auto* trouble = std::get_if<Trouble>(&answer)) {
    const bool ours = in_json == (desk_.settings().service.format == config::Service::Format::json);
    const Retry retry = retry_after(ours ? Operation::names : Operation::format, *trouble);
    if (retry.then != Retry::Then::go_without) {
      return patience_.bear(retry, *trouble, now, "enumerations: ");
    }
  } else {
    patience_.well();
    auto records = std::get<std::vector<mapping::Record>>(std::move(answer));
    if (!by_number_) {
      by_number_ = std::move(records);
      return now;
    }
    choices = mapping::choices_between(*by_number_, records);
  }
  table.learn(choices);
  by_number_.reset();
  standing_.done += static_cast<std::int64_t>(choices.size());
  finish(kEnumerations, {}, mapping::status(), today);
  return now;
}

std::variant<std::vector<mapping::Record>, Trouble> NamesJob::ask(mapping::Format format,
                                                                  TimePoint now) {
  service::Scalars ids;
  for (const auto id : asked_)
    ids.push_back(std::to_string(id));
  auto page = desk_.api().page(service::customers(),
                               {{"CustomerIds", std::move(ids)},
                                {"IncludeTestRecords", std::string("true")},
                                {"IncludeNotes", std::string("true")}},
                               "", 100, now, format);
  if (auto* trouble = std::get_if<Trouble>(&page)) return std::move(*trouble);
  return std::get<mapping::Page>(std::move(page)).records;
}

}  // namespace surveybridge::daemon
