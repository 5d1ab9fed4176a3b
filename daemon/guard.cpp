#include "daemon/guard.hpp"

#include "connectors/crm/database.hpp"
#include "connectors/crm/lease.hpp"
#include "daemon/fault.hpp"
#include "daemon/pace/backoff.hpp"

namespace surveybridge::daemon {

namespace {

Standing::Fault fault_of(crm::DatabaseError::Kind kind) {
  switch (kind) {
    case crm::DatabaseError::Kind::connection:
    case crm::DatabaseError::Kind::busy:
      return Standing::Fault::unreachable;
    case crm::DatabaseError::Kind::constraint:
    case crm::DatabaseError::Kind::other:
      break;
  }
  return Standing::Fault::configuration;
}

}  // namespace

Guard::Guard(std::unique_ptr<Job> job, Log& log, std::uint64_t seed)
    : job_(std::move(job)), chance_(seed), complaint_(log, job_->name()) {}

TimePoint Guard::step(TimePoint now) {
  try {
    const TimePoint at = job_->step(now);
    exceptional_.trouble.clear();
    const Standing& standing = job_->standing();
    failures_ = standing.trouble.empty() || standing.goes_on ? 0 : failures_ + 1;
    complaint_.over();
    return at;
  } catch (const crm::LeaseLost& lost) {
    return failed(Standing::Fault::unreachable, lost.what(), now);
  } catch (const crm::DatabaseError& error) {
    return failed(fault_of(error.kind), std::string("database: ") + error.what(), now);
  } catch (const std::exception& error) {
    return failed(Standing::Fault::configuration, error.what(), now);
  }
}

TimePoint Guard::failed(Standing::Fault fault, const std::string& what, TimePoint now) {
  exceptional_.fault = fault;
  exceptional_.trouble = what;
  complaint_.meet(level_of(fault), what);
  return now + backoff(++failures_, chance_.unit());
}

void Guard::leave() {
  try {
    job_->leave();
  } catch (const std::exception& error) {
    // What could not be given back is free when its lease ends.
    failed(Standing::Fault::unreachable, error.what(), {});
  }
}

Standing Guard::standing() const {
  Standing standing = job_->standing();
  if (!exceptional_.trouble.empty()) {
    standing.trouble = exceptional_.trouble;
    standing.fault = exceptional_.fault;
    standing.caught_up = false;
  }
  return standing;
}

}  // namespace surveybridge::daemon
