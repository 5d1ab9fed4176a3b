// What people do in a schedule: the operator, a deployment of the CRM, a backup and its restore,
// and somebody who asks to be forgotten.
#include <algorithm>
#include <filesystem>
#include <iterator>

#include "config/text.hpp"
#include "connectors/crm/daemon_state/brakes.hpp"
#include "connectors/crm/erasure/forget.hpp"
#include "connectors/crm/ledger/ledger.hpp"
#include "daemon/suppress/brake_rule.hpp"
#include "daemon/suppress/suppression_check.hpp"
#include "mapping/values/person.hpp"
#include "tests/simulation/configuration.hpp"
#include "tests/simulation/schedule_run.hpp"

namespace simulation {

using namespace surveybridge;

namespace {

// Every order of the columns of the view, and one more column before the others.
constexpr const char* kViews[] = {
    "SELECT id, email, first_name, delivered_at FROM orders",
    "SELECT delivered_at, first_name, 'manager@example.test' AS manager, email, id FROM orders",
    "SELECT 'manager@example.test' AS manager, id, email, delivered_at, first_name FROM orders",
};

}  // namespace

void ScheduleRun::operate() {
  if (drawn_.brake || restored_) release();
  if (drawn_.column_order && faults_ && happens(extras_, 0.3)) change_columns();
  if (drawn_.blind_search && faults_ && happens(extras_, 0.3))
    transport_.blind(clock_.now + minutes_between(extras_, 10, 60));
  if (drawn_.frozen && faults_ && happens(extras_, 0.1)) {
    const TimePoint until = clock_.now + minutes_between(extras_, 10, 90);
    transport_.freeze(std::min(until, kBegin + kFaultsLast));
    stop_from_ = happens(extras_, 0.5) ? clock_.now + minutes_between(extras_, 1, 9) : until;
  }
  if (!drawn_.apart || !faults_) return;
  if (happens(extras_, 0.2)) crm_back_at_ = clock_.now + minutes_between(extras_, 5, 40);
  if (happens(extras_, 0.1)) store_back_at_ = clock_.now + minutes_between(extras_, 5, 40);
}

// A deployment of the CRM makes the view anew.
void ScheduleRun::change_columns() {
  crm().begin();
  crm().execute({"DROP VIEW IF EXISTS shown", {}});
  crm().execute({std::string("CREATE VIEW shown AS ") +
                     kViews[between(extras_, 0, static_cast<int>(std::size(kViews)) - 1)],
                 {}});
  crm().commit();
}

// How many transactions have been in a batch.
int ScheduleRun::claimed() {
  const auto rows = store_->query({"SELECT count(*) FROM survey_push WHERE attempts > 0", {}}).rows;
  return static_cast<int>(std::get<std::int64_t>(rows.front().at(0)));
}

// A ledger that has sent nothing yet is not compared with the service (docs/GUARANTEES.md).
void ScheduleRun::back_up() {
  if (!crm::Ledger(*store_).last_claim("orders")) return;
  store_->execute({"VACUUM INTO '" + database_ + ".backup'", {}});
  backed_up_ = true;
}

// The machine is lost with all daemons, and the database is restored from the backup: the CRM's
// rows come again, and the operator repeats what people have asked to be forgotten, now and with
// each release. As docs/GUARANTEES.md asks, the daemons start only once `settle` is over.
void ScheduleRun::restore() {
  restored_ = true;
  for (auto& host : hosts_) {
    host.instance.reset();
    host.starts_at = clock_.now + kSettle + std::chrono::minutes{1};
  }
  claimed_since_backup_ = claimed();
  store_.reset();
  sessions_.close();
  for (const char* suffix : {"", "-wal", "-shm"})
    std::filesystem::remove(database_ + suffix);
  std::filesystem::rename(database_ + ".backup", database_);
  store_ = in_process::watched(crm::open_database("sqlite3://" + database_), clock_, {});
  claimed_since_backup_ -= claimed();
  const auto rows = crm().query({"SELECT count(*) FROM orders", {}}).rows;
  orders_in_ = static_cast<std::size_t>(std::get<std::int64_t>(rows.front().at(0)));
  for (const auto& address : forgotten_)
    forget(address);
}

// An operator releases some of the rows that the brake holds; in the end all of them.
void ScheduleRun::release() {
  if (faults_ && !happens(extras_, 0.5)) return;
  ++releases_;
  if (restored_) {
    for (const auto& address : forgotten_)
      forget(address);
  }
  const auto rows = faults_ ? between(extras_, 1, 10) : 1000;
  crm::Brakes(*store_).release("orders", daemon::fingerprint_of(settings_.pushes.front()), rows);
}

// `forget`, as another process would do it.
void ScheduleRun::forget_somebody() {
  if (orders_in_ == 0) return;
  const int order = between(forgets_, 0, static_cast<int>(orders_in_) - 1);
  const std::string& address = drawn_.orders[static_cast<std::size_t>(order)].email;
  forget(address);
  if (broken_ == Broken::lose_the_forgotten) store_->execute({"DELETE FROM survey_person", {}});
  forgotten_.insert(config::lower_case(address));
}

void ScheduleRun::forget(const std::string& address) {
  const std::string person = mapping::person_of(daemon::person_key(*store_), address);
  crm::forget(*store_, crm(), person, address, {"OrderNumber"});
}

}  // namespace simulation
