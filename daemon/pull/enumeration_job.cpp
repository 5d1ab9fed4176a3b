#include "daemon/pull/enumeration_job.hpp"

#include <algorithm>

#include "connectors/crm/pulled/enumeration_store.hpp"
#include "connectors/crm/pulled/pull_store.hpp"

namespace surveybridge::daemon {
namespace {

using service::Trouble;

constexpr Duration kEvery = std::chrono::hours{1};
// How often it is looked whether a page has brought a value that is new.
constexpr Duration kLook = std::chrono::seconds{10};
const std::string kList = "enumerations";  // in survey_cursor

}  // namespace

EnumerationJob::EnumerationJob(const Shared& shared, std::uint64_t seed)
    : context_(shared), retry_(shared.log, name_, shared.pace, status_, seed) {
  status_.unit = "enumerations";
}

TimePoint EnumerationJob::step(TimePoint now) {
  context_.open();
  const TimePoint db_now = context_.database().now();
  if (const TimePoint at = due(db_now); at > db_now) {
    status_.caught_up = true;
    return at == kNever ? kNever : now + std::min<Duration>(at - db_now, kLook);
  }
  if (const auto* before = std::get_if<ReadInJson>(&state_))
    return read_by_name(*before, now, db_now);
  return read_by_number(now, db_now);
}

TimePoint EnumerationJob::due(TimePoint db_now) {
  if (context_.once()) return learned_ ? kNever : db_now;
  if (asked_for_) return db_now;
  crm::PullStore tables(context_.database(), mapping::status(), {});
  const auto read_at = tables.load(kList, crm::kWholeListWalk).finished_at;
  if (!read_at || *read_at > db_now || *read_at + kEvery <= db_now || has_new_values())
    return db_now;
  return *read_at + kEvery;
}

bool EnumerationJob::has_new_values() {
  if (std::holds_alternative<ReadInJson>(state_)) return true;
  const auto never_asked = crm::EnumerationStore(context_.database()).never_asked();
  unshown_ = std::min(unshown_, never_asked);
  return never_asked > unshown_;
}

TimePoint EnumerationJob::read_by_number(TimePoint now, TimePoint db_now) {
  crm::EnumerationStore store(context_.database());
  const bool new_only = store.never_asked() > unshown_;
  auto asked = store.to_ask(new_only);
  if (asked.customers.empty()) {
    unshown_ = store.never_asked();
    return new_only ? now : rest(now, db_now);
  }
  status_.caught_up = false;
  if (const auto later = context_.pace().attempt(now, {name_, RequestClass::read})) return *later;
  auto customers = read(asked.customers, mapping::Format::json, now);
  if (const auto* trouble = std::get_if<Trouble>(&customers))
    return failed(*trouble, asked, mapping::Format::json, now, db_now);
  retry_.succeeded();
  state_ = ReadInJson{std::move(asked), std::get<std::vector<mapping::Record>>(customers)};
  return now;
}

TimePoint EnumerationJob::read_by_name(ReadInJson before, TimePoint now, TimePoint db_now) {
  status_.caught_up = false;
  if (const auto later = context_.pace().attempt(now, {name_, RequestClass::read})) return *later;
  auto customers = read(before.asked.customers, mapping::Format::xml, now);
  if (const auto* trouble = std::get_if<Trouble>(&customers))
    return failed(*trouble, before.asked, mapping::Format::xml, now, db_now);
  retry_.succeeded();
  const auto& by_name = std::get<std::vector<mapping::Record>>(customers);
  return finish(before.asked, mapping::enumerations_between(before.by_number, by_name), now,
                db_now);
}

// A service that speaks only one of the two formats teaches nothing, and that is no trouble.
TimePoint EnumerationJob::failed(const Trouble& trouble, const Question& asked,
                                 mapping::Format format, TimePoint now, TimePoint db_now) {
  const bool json = context_.settings().service.format == config::Service::Format::json;
  const bool ours = (format == mapping::Format::json) == json;
  const Retry retry = retry_after(ours ? Operation::names : Operation::format, trouble);
  if (retry.then != Retry::Then::go_without)
    return retry_.failed(retry, trouble, now, "enumerations: ");
  return finish(asked, {}, now, db_now);
}

EnumerationJob::Customers EnumerationJob::read(const std::vector<std::int64_t>& ids,
                                               mapping::Format format, TimePoint now) {
  const RequestSlot slot(context_.pace(), RequestClass::read);
  service::Scalars texts;
  for (const auto id : ids)
    texts.push_back(std::to_string(id));
  auto page = context_.api().page(service::customers(),
                                  {{"CustomerIds", std::move(texts)},
                                   {"IncludeTestRecords", std::string("true")},
                                   {"IncludeNotes", std::string("true")}},
                                  "", 100, now, format);
  if (auto* trouble = std::get_if<Trouble>(&page)) return std::move(*trouble);
  return std::get<mapping::Page>(std::move(page)).records;
}

TimePoint EnumerationJob::finish(const Question& asked,
                                 const std::set<mapping::EnumerationPair>& pairs, TimePoint now,
                                 TimePoint db_now) {
  crm::EnumerationStore(context_.database()).learn(pairs, asked.values);
  state_ = Idle{};
  status_.done += static_cast<std::int64_t>(pairs.size());
  return rest(now, db_now);
}

// Nothing more to learn for an hour, for every instance.
TimePoint EnumerationJob::rest(TimePoint now, TimePoint db_now) {
  crm::PullStore tables(context_.database(), mapping::status(), {});
  crm::StoredWalk walk = tables.load(kList, crm::kWholeListWalk);
  walk.finished_at = db_now;
  tables.save({}, walk, std::nullopt);
  learned_ = true;
  asked_for_ = false;
  return now;
}

}  // namespace surveybridge::daemon
