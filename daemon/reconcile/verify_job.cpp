#include "daemon/reconcile/verify_job.hpp"

#include <algorithm>
#include <utility>

#include "daemon/job/backoff.hpp"
#include "daemon/job/fault.hpp"
#include "daemon/reconcile/correlate_column.hpp"
#include "daemon/reconcile/reconcile_plan.hpp"
#include "mapping/field_map/constant.hpp"
#include "mapping/interface/second_feedback.hpp"

namespace surveybridge::daemon {

namespace {

// Services round, shift and convert dates.
constexpr std::chrono::hours kMargin{48};

// Only customers that the push can have sent, if its transactions have a date at the service.
std::vector<service::Parameter> filters_of(const config::Push& push, const std::string& zone) {
  std::vector<service::Parameter> filters;
  const bool dated = std::ranges::any_of(
      push.customer.rules, [](const auto& rule) { return rule.field == "TransactionDate"; });
  if (dated) {
    const TimePoint from = mapping::instant_of(push.start, zone) - kMargin;
    filters.push_back({"TransactionDateFilter", service::DateFilter{from, std::nullopt}});
  }
  if (push.batch.is_test.value_or(false) || push.batch.is_concept.value_or(false)) {
    filters.push_back({"IncludeTestRecords", std::string("true")});
  }
  return filters;
}

}  // namespace

VerifyJob::VerifyJob(const config::Push& push, const Shared& shared, std::uint64_t seed)
    : push_(push),
      name_("verify." + push.name),
      context_(shared),
      retry_(shared.log, name_, shared.pace, status_, seed) {
  status_.unit = "customers";
}

TimePoint VerifyJob::step(TimePoint now) {
  status_.caught_up = false;
  context_.open_service();
  if (const auto later = context_.pace().attempt(now, {name_, RequestClass::read})) return *later;
  const RequestSlot slot(context_.pace(), RequestClass::read);
  if (!column_) {
    const auto trouble = look_up_column(now);
    return trouble ? handle_trouble(Operation::column, *trouble, now) : now;
  }
  const auto& zone = context_.settings().crm.time_zone;
  // An account may have nothing to list, but a list that has begun has its end.
  const auto bare = cursor_.empty() ? service::Bare::taken : service::Bare::refused;
  auto page = context_.api().page(service::customers(), filters_of(push_, zone), cursor_, 100, now,
                                  {}, bare);
  if (const auto* trouble = std::get_if<service::Trouble>(&page)) {
    return handle_trouble(Operation::search, *trouble, now);
  }
  const auto& answer = std::get<mapping::Page>(page);
  take(answer.records);
  for (const auto& each : answer.unreadable)
    take({each.partial});
  ++pages_;
  const auto follows = history_.take(cursor_, answer);
  if (follows == PageHistory::Next::begin_again) return begin_again() ? now : retry_.wait(now);
  status_.caught_up = follows == PageHistory::Next::end;
  if (follows == PageHistory::Next::endless || follows == PageHistory::Next::unusable) {
    retry_.report(JobStatus::Fault::person, history_.why());
    return kNever;
  }
  if (status_.caught_up || restarts_.past(pages_)) retry_.succeeded();
  cursor_ = answer.next_cursor;
  return status_.caught_up ? kNever : now;
}

std::optional<service::Trouble> VerifyJob::look_up_column(TimePoint now) {
  auto column = read_correlate_column(context_.api(), push_.correlate, "", now);
  if (auto* trouble = std::get_if<service::Trouble>(&column)) return std::move(*trouble);
  column_ = std::get<mapping::DataColumn>(std::move(column));
  return std::nullopt;
}

void VerifyJob::take(const std::vector<mapping::Record>& customers) {
  for (const auto& customer : customers) {
    const auto id = mapping::imported_customer_id(customer);
    const std::string key = data_value(customer, *column_);
    ++status_.done;
    if (key.empty() || !id || !seen_.insert(*id).second) continue;
    ++listed_[key];
  }
}

// If a cursor is no longer known, the walk starts again; customers that were seen are not counted
// twice.
TimePoint VerifyJob::handle_trouble(Operation operation, const service::Trouble& trouble,
                                    TimePoint now) {
  const Retry retry = retry_after(operation, trouble, !cursor_.empty());
  history_.lose_page();
  if (retry.then == Retry::Then::start_again && begin_again()) return now;
  return retry_.failed(retry, trouble, now);
}

// Returns whether the walk had come further than before its last restart.
bool VerifyJob::begin_again() {
  const bool stuck = restarts_.no_further(std::exchange(pages_, 0));
  cursor_.clear();
  history_ = {};
  return !stuck;
}

}  // namespace surveybridge::daemon
