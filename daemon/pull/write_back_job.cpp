#include "daemon/pull/write_back_job.hpp"

#include "connectors/service/api.hpp"

namespace surveybridge::daemon {
namespace {

constexpr Duration kLeaseWait = std::chrono::seconds{5};
constexpr Duration kTryAgain = std::chrono::hours{1};  // a record that met no row

}  // namespace

WriteBackJob::WriteBackJob(const config::Pull& pull, const Shared& shared)
    : pull_(pull), name_("write." + pull.name), context_(shared) {
  status_.unit = pull.name;
}

TimePoint WriteBackJob::step(TimePoint now) {
  status_.caught_up = false;
  context_.open();
  if (!tables_) {
    tables_.emplace(context_.database(), service::operation_of(pull_.list).item, pull_.writes,
                    context_.settings().crm.time_zone);
  }
  if (!take_lease()) return now + kLeaseWait;
  const TimePoint db_now = context_.database().now();
  if (!begun_) begun_ = db_now;
  crm::Saved saved;
  const TimePoint before = context_.once() ? *begun_ : db_now - kTryAgain;
  const auto tried = tables_->write_again(pull_.name, lease_, before, saved);
  if (tried == 0) return rest(now);
  status_.done += tried;
  if (saved.written_back > 0) {
    context_.log().info(std::to_string(saved.written_back) + " rows written from stored records",
                        {.job = name_});
  }
  return now;
}

TimePoint WriteBackJob::rest(TimePoint now) {
  status_.caught_up = true;
  leave();
  return context_.once() ? kNever : now + pull_.every;
}

bool WriteBackJob::take_lease() {
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
