#include "daemon/pull/reference_data_job.hpp"

#include "daemon/job/backoff.hpp"
#include "daemon/job/fault.hpp"

namespace surveybridge::daemon {
namespace {

using service::Trouble;

constexpr Duration kEvery = std::chrono::hours{1};

const std::string kWalk = "all", kEnumerations = "enumerations";

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
      missing_(shared.log, name_) {
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
  const TimePoint at = due(kEnumerations, db_now);
  if (at <= db_now) return learn(now, db_now);
  if (at != kNever) next = std::min(next, now + (at - db_now));
  status_.caught_up = true;
  return next;
}

TimePoint ReferenceDataJob::due(const std::string& list, TimePoint db_now) {
  if (context_.once()) return read_.contains(list) ? kNever : db_now;
  crm::PullStore tables(context_.database(), mapping::status(), {});
  const auto read_at = tables.load(list, kWalk).finished_at;
  return read_at && *read_at <= db_now ? *read_at + kEvery : db_now;
}

void ReferenceDataJob::finish(const std::string& list, const std::vector<mapping::Record>& records,
                              const mapping::Resource& resource, TimePoint db_now) {
  crm::PullStore tables(context_.database(), resource, {});
  crm::StoredWalk walk = tables.load(list, kWalk);
  walk.finished_at = db_now;
  tables.save(records, walk, std::nullopt);
  read_.insert(list);
}

TimePoint ReferenceDataJob::read(const List& list, TimePoint now, TimePoint db_now) {
  status_.caught_up = false;
  if (const auto later = context_.pace().attempt(now, {name_, RequestClass::read})) return *later;
  const RequestSlot place(context_.pace(), RequestClass::read);
  auto answer = (context_.api().*list.read)(now);
  std::vector<mapping::Record> records;
  if (const auto* trouble = std::get_if<Trouble>(&answer)) {
    const Retry retry = retry_after(Operation::names, *trouble);
    if (retry.then != Retry::Then::go_without) {
      return retry_.failed(retry, *trouble, now, std::string(list.name) + ": ");
    }
    missing_.settle_listed(Log::Level::warn,
                           std::string("the service has no list of ") + list.name);
  } else {
    records = std::get<std::vector<mapping::Record>>(std::move(answer));
    retry_.succeeded();
  }
  finish(list.name, records, list.resource(), db_now);
  status_.done += static_cast<std::int64_t>(records.size());
  return now;
}

// By number first, in the next step by name. From a service that speaks only one format, or writes
// both forms alike, nothing can be learned.
TimePoint ReferenceDataJob::learn(TimePoint now, TimePoint db_now) {
  crm::EnumerationStore table(context_.database());
  if (!by_number_) asked_ = table.customers_to_ask();
  if (asked_.empty()) {
    finish(kEnumerations, {}, mapping::status(), db_now);
    return now;
  }
  status_.caught_up = false;
  if (const auto later = context_.pace().attempt(now, {name_, RequestClass::read})) return *later;
  const RequestSlot place(context_.pace(), RequestClass::read);
  const bool in_json = !by_number_;
  auto answer = ask(in_json ? mapping::Format::json : mapping::Format::xml, now);
  std::set<mapping::EnumerationPair> choices;
  if (const auto* trouble = std::get_if<Trouble>(&answer)) {
    const bool ours =
        in_json == (context_.settings().service.format == config::Service::Format::json);
    const Retry retry = retry_after(ours ? Operation::names : Operation::format, *trouble);
    if (retry.then != Retry::Then::go_without) {
      return retry_.failed(retry, *trouble, now, "enumerations: ");
    }
  } else {
    retry_.succeeded();
    auto records = std::get<std::vector<mapping::Record>>(std::move(answer));
    if (!by_number_) {
      by_number_ = std::move(records);
      return now;
    }
    choices = mapping::enumerations_between(*by_number_, records);
  }
  table.learn(choices);
  by_number_.reset();
  status_.done += static_cast<std::int64_t>(choices.size());
  finish(kEnumerations, {}, mapping::status(), db_now);
  return now;
}

std::variant<std::vector<mapping::Record>, Trouble> ReferenceDataJob::ask(mapping::Format format,
                                                                          TimePoint now) {
  service::Scalars ids;
  for (const auto id : asked_)
    ids.push_back(std::to_string(id));
  auto page = context_.api().page(service::customers(),
                                  {{"CustomerIds", std::move(ids)},
                                   {"IncludeTestRecords", std::string("true")},
                                   {"IncludeNotes", std::string("true")}},
                                  "", 100, now, format);
  if (auto* trouble = std::get_if<Trouble>(&page)) return std::move(*trouble);
  return std::get<mapping::Page>(std::move(page)).records;
}

}  // namespace surveybridge::daemon
