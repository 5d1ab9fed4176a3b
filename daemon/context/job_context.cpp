#include "daemon/context/job_context.hpp"

#include <algorithm>

#include "connectors/crm/leases/lease.hpp"
#include "connectors/crm/schema/schema.hpp"

namespace surveybridge::daemon {

void JobContext::open() {
  if (!database_) {
    auto opened = shared_.environment.open_database();
    if (!shared_.has_tables || !*shared_.has_tables) crm::make_schema(*opened);
    if (shared_.has_tables) *shared_.has_tables = true;
    database_ = std::move(opened);
    end_leases_of_the_dead();
    crm::Leases(*database_).remove_ended();
  }
  open_service();
}

crm::Database& JobContext::crm(CrmUse use) {
  if (!is_apart()) return *database_;
  if (!crm_) crm_ = shared_.environment.open_crm(use);
  return *crm_;
}

void JobContext::end_leases_of_the_dead() {
  crm::Leases leases(*database_);
  leases.end_those_of(shared_.environment.has_ended);
  // A POST under such a lease may be on its way until its time-out.
  const auto timeout = std::chrono::ceil<std::chrono::seconds>(settings().service.timeout);
  leases.end_those_without_session(lease_duration(settings()), latest_start(settings()) + timeout);
}

void JobContext::open_service() {
  if (!line_.api) line_ = make_line();
}

ServiceLine JobContext::make_line() {
  ServiceLine line;
  line.transport = std::make_unique<ObservedTransport>(
      shared_.environment.open_transport(),
      RequestObservers{settings().service, pace(), recorder(), shared_.clock});
  line.api = std::make_unique<service::Api>(shared_.settings.service, *line.transport,
                                            shared_.credentials);
  return line;
}

std::chrono::seconds latest_start(const config::Settings& settings) {
  return lease_duration(settings) / 4;
}

// A POST may start in the first quarter of the lease (push_job.cpp) and then takes at most one
// time-out; the rest is for a slow database or machine. A step may wait for a statement that is
// allowed to take longer than usual.
std::chrono::seconds lease_duration(const config::Settings& settings) {
  const auto timeout = std::chrono::ceil<std::chrono::seconds>(settings.service.timeout);
  const auto longer = std::chrono::ceil<std::chrono::seconds>(settings.crm.statement_timeout) -
                      std::chrono::ceil<std::chrono::seconds>(config::Crm{}.statement_timeout);
  return timeout * 2 + std::max(timeout, std::chrono::seconds{10}) +
         std::max(longer, std::chrono::seconds{0});
}

}  // namespace surveybridge::daemon
