#include "daemon/reconcile/verify_job.hpp"

#include <utility>

#include "daemon/context/push_window.hpp"
#include "daemon/push/push_plan.hpp"
#include "daemon/reconcile/search_round.hpp"
#include "mapping/field_map/constant.hpp"
#include "mapping/interface/second_feedback.hpp"
#include "mapping/values/address.hpp"

namespace surveybridge::daemon {

namespace {

// Services round, shift and convert dates.
constexpr std::chrono::hours kStartMargin{48};

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
    const auto trouble = read_correlate_column(column_, context_.api(), push_.correlate, "", now);
    return trouble ? retry_.failed(retry_after(Operation::column, *trouble), *trouble, now) : now;
  }
  const bool dated = sends_transaction_date(push_) && !is_dated_otherwise(push_);
  if (!walk_) begin(dated ? "TransactionDate" : "", now);
  return after(walk_->step(context_.api(), now), now);
}

std::string VerifyJob::left_out() const {
  const auto& part = walk_->left_out();
  return unlisted_ + (unlisted_.empty() || part.empty() ? "" : "; ") + part;
}

// `date`: of the customers, from the push's start on; empty: all of them.
void VerifyJob::begin(const std::string& date, TimePoint now) {
  std::optional<PageWalk::Since> since;
  if (!date.empty())
    since = {date,
             mapping::instant_of(push_.start, context_.settings().crm.time_zone) - kStartMargin};
  walk_.emplace(service::customers(), customer_filters(push_), std::move(since), now);
}

// Customers that were seen are not counted twice, so that the walk may begin again.
TimePoint VerifyJob::after(const PageWalk::Answer& answer, TimePoint now) {
  if (const auto* unanswered = std::get_if<PageWalk::Unanswered>(&answer)) {
    unlisted_ = "the service does not answer for its whole list (" + unanswered->trouble.detail +
                "): customers without LastActivityDate are not read";
    begin("LastActivityDate", now);  // so that it can be read around
    retry_.rested();
    return now;
  }
  if (const auto later = when_again(answer, retry_, now)) return *later;
  if (const auto* endless = std::get_if<PageWalk::Endless>(&answer)) {
    retry_.report(JobStatus::Fault::person, endless->why);
    return kNever;
  }
  const auto& read = std::get<PageWalk::Read>(answer);
  take(read.page.records);
  for (const auto& each : read.page.unreadable)
    take({each.partial});
  status_.caught_up = read.last;
  if (read.last || walk_->is_further()) retry_.succeeded();
  return read.last ? kNever : now;
}

void VerifyJob::take(const std::vector<mapping::Record>& customers) {
  for (const auto& customer : customers) {
    const auto id = mapping::imported_customer_id(customer);
    const std::string key = data_value(customer, *column_);
    ++status_.done;
    if (key.empty() || !id || !seen_.insert(*id).second) continue;
    auto& listed = listed_[key];
    ++listed.times;
    // A second feedback has the address and the date of its own.
    if (mapping::is_second_feedback(customer)) continue;
    if (const auto* email = std::get_if<std::string>(&customer.value("Email"))) {
      const bool differs = mapping::normal_address(*email) != mapping::normal_address(listed.email);
      listed.has_several_persons |= !listed.email.empty() && !email->empty() && differs;
      listed.email = *email;
    }
    if (const auto* at = std::get_if<mapping::Instant>(&customer.value("TransactionDate")))
      listed.transaction_date = *at;
  }
}

}  // namespace surveybridge::daemon
