#include "daemon/pull/write_back_job.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "connectors/service/api.hpp"

namespace surveybridge::daemon {
namespace {

constexpr Duration kLookAtQueue = std::chrono::seconds{5};
constexpr Duration kTryAgain = std::chrono::hours{1};  // a record that met no row

}  // namespace

void log_unwritten(Log& log, const std::string& job, const crm::WrittenBack& written) {
  for (const auto& [table, column, reason] : written.unwritten)
    log.error(fmt::format("not written into {}.{}: {}; what else of the row can be written is"
                          " written, and `surveybridge status` counts the records",
                          table, column, reason),
              {.job = job});
}

std::string write_back_job(const std::string& list) {
  return "write." + list;
}

WriteBackJob::WriteBackJob(const config::Pull& pull, const Shared& shared)
    : pull_(pull), name_(write_back_job(pull.name)), context_(shared) {
  // In the database of the bridge's tables the walks write with each page.
  status_.unit = context_.is_apart() ? pull.name : "looked at";
}

TimePoint WriteBackJob::step(TimePoint now) {
  status_.caught_up = false;
  context_.open();
  if (!writes_) {
    writes_.emplace(context_.crm(CrmUse::write), context_.database(),
                    service::operation_of(pull_.list).item, pull_.writes,
                    context_.settings().crm.time_zone);
  }
  const bool only_looks =
      context_.is_apart() && now < rested_until_ && rested_until_ - now <= pull_.every;
  if (only_looks && !writes_->has_work(pull_.name)) return next_look(now);
  if (!take_lease()) return now + kLeaseWait;
  const TimePoint db_now = context_.database().now();
  if (!begun_) begun_ = db_now;
  crm::WrittenBack saved;
  const TimePoint before = context_.once() ? *begun_ : db_now - kTryAgain;
  auto tried = writes_->write_queued(pull_.name, right(), saved);
  if (tried == 0) tried = writes_->write_again(pull_.name, right(), before, saved);
  if (tried == 0) return rest(now);
  log_unwritten(context_.log(), name_, saved);
  if (context_.is_apart()) leave();  // `forget` may have its turn
  status_.done += tried;
  if (saved.written_back > 0) {
    context_.log().info(std::to_string(saved.written_back) + " rows written from stored records",
                        {.job = name_});
  }
  return now;
}

TimePoint WriteBackJob::rest(TimePoint now) {
  leave();
  rested_until_ = now + pull_.every;
  return next_look(now);
}

// Until the rest is over only the queue and what was begun anew are looked at, which needs no
// lease.
TimePoint WriteBackJob::next_look(TimePoint now) {
  status_.caught_up = true;
  if (context_.once()) return kNever;
  return context_.is_apart() ? std::min<TimePoint>(now + kLookAtQueue, rested_until_)
                             : rested_until_;
}

// A row that is written late must not overwrite what the next holder of the lease has written.
crm::WriteBackStore::Right WriteBackJob::right() const {
  const auto& uptime = context_.environment().uptime;
  return {lease_, [&uptime, until = taken_ + lease_duration(context_.settings()) / 2] {
            return uptime() < until;
          }};
}

bool WriteBackJob::take_lease() {
  taken_ = context_.environment().uptime();
  lease_ = crm::Leases(context_.database())
               .take(name_, context_.environment().owner, lease_duration(context_.settings()));
  return lease_.has_value();
}

void WriteBackJob::leave() {
  if (!lease_) return;
  crm::Leases(context_.database()).release(*lease_);
  lease_.reset();
}

}  // namespace surveybridge::daemon
