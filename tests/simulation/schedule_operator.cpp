// What people do in a schedule: the operator, a deployment of the CRM, a backup and its restore,
// and somebody who asks to be forgotten.
#include <algorithm>
#include <filesystem>
#include <iterator>

#include <fmt/format.h>

#include "config/text.hpp"
#include "connectors/crm/daemon_state/brakes.hpp"
#include "connectors/crm/erasure/forget.hpp"
#include "connectors/crm/ledger/ledger.hpp"
#include "connectors/crm/schema/move_tables.hpp"
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
    "SELECT id, email, first_name, delivered_at, branch FROM orders",
    "SELECT delivered_at, branch, first_name, 'manager@example.test' AS manager, email, id"
    " FROM orders",
    "SELECT 'manager@example.test' AS manager, id, email, delivered_at, first_name, branch"
    " FROM orders",
};

void remove_database(const std::string& file) {
  for (const char* suffix : {"", "-wal", "-shm"})
    std::filesystem::remove(file + suffix);
}

}  // namespace

void ScheduleRun::operate() {
  if (drawn_.has(Extra::move)) move();
  if (moves_) return;
  // Where lists prove nothing, or keys come back changed, the check at a start knows nothing.
  const bool held_at_start = drawn_.has(Extra::null_lists) || drawn_.has(Extra::poisoned_record) ||
                             drawn_.has(Extra::cut_keys) || drawn_.has(Extra::upper_keys);
  if (drawn_.has(Extra::brake) || held_at_start || restored_) release();
  if (drawn_.has(Extra::changed_settings)) change_settings();
  if (drawn_.has(Extra::sample)) change_share();
  if (drawn_.has(Extra::skipped_rows)) name_orders();
  if (drawn_.has(Extra::named_list) && faults_ && happens(draws_, 0.2))
    block_somebody("partners", draws_);
  if (drawn_.has(Extra::clock_steps)) step_clock();
  if (drawn_.has(Extra::own_list) && faults_ && happens(extras_, 0.2))
    block_somebody("blocked", extras_);
  if (drawn_.has(Extra::column_order) && faults_ && happens(extras_, 0.3)) change_columns();
  if (drawn_.has(Extra::blind_search) && faults_ && happens(extras_, 0.3))
    transport_.blind(clock_.now + minutes_between(extras_, 10, 60));
  if (drawn_.has(Extra::frozen) && faults_ && happens(extras_, 0.1)) {
    const TimePoint until = clock_.now + minutes_between(extras_, 10, 90);
    transport_.freeze(std::min(until, kBegin + kFaultsLast));
    stop_from_ = happens(extras_, 0.5) ? clock_.now + minutes_between(extras_, 1, 9) : until;
  }
  if (!drawn_.has(Extra::apart) || !faults_) return;
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
  for (const auto& push : settings().pushes)
    if (!crm::Ledger(*store_).last_claim(push.name)) return;
  store_->execute({"VACUUM INTO '" + backup_file_ + "'", {}});
  receivers_.back_up();
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
    host.is_at_old_place = false;
  }
  receivers_.restore();
  if (!faults_) calm_since_ = clock_.now + kSettle;
  claimed_since_backup_ = claimed();
  store_.reset();
  sessions_.close();
  remove_database(database_);
  std::filesystem::rename(backup_file_, database_);
  store_ = in_process::watched(crm::open_database("sqlite3://" + database_), clock_, {});
  claimed_since_backup_ -= claimed();
  not_drawn_.clear();  // of the others the ledger knows nothing any more
  note_not_drawn();
  std::set<std::string> there;
  for (const auto& row : crm().query({"SELECT id FROM orders", {}}).rows)
    there.insert(std::get<std::string>(row.at(0)));
  for (const Order* order : came_) {
    if (there.contains(order->key)) continue;
    const auto minutes = std::chrono::floor<std::chrono::minutes>(drawn_.back_within).count();
    coming_.emplace(clock_.now + minutes_between(extras_, 0, static_cast<int>(minutes)), order);
  }
  std::erase_if(came_, [&](const Order* order) { return !there.contains(order->key); });
  for (const auto& [list, addresses] : blocked_)
    for (const auto& address : addresses)
      block(list, address);
  for (const auto& address : forgotten_)
    forget(address);
}

// An operator releases some of the rows that the brake holds; in the end all of them.
void ScheduleRun::release() {
  if (faults_ && !happens(extras_, 0.5)) return;
  ++releases_;
  const auto rows = faults_ ? between(extras_, 1, 10) : 1000;
  for (const auto& push : settings().pushes)
    crm::Brakes(*store_).release(push.name, daemon::fingerprint_of(push, settings().crm.time_zone),
                                 rows);
}

// Edits the configuration and has the daemons read it again; after the faults it is the first one.
void ScheduleRun::change_settings() {
  Variant edited = variant_of(drawn_);
  if (faults_) {
    if (!happens(extras_, 0.3)) return;
    edited = {between(extras_, 1, kBatchMax), between(extras_, 1, drawn_.in_flight),
              happens(extras_, 0.5), happens(extras_, 0.3), happens(extras_, 0.5)};
  }
  edited.sample = variant_.sample;
  edit(edited);
}

// Raises or lowers the share that goes out.
void ScheduleRun::change_share() {
  if (moves_) return;  // no ledger is open
  note_not_drawn();
  Variant edited = variant_;
  if (!faults_) edited.sample = drawn_.last_sample;
  if (faults_ && happens(draws_, 0.3)) edited.sample = between(draws_, 1, 10) / 10.0;
  if (broken_ == Broken::mail_the_past && edited.sample > variant_.sample)
    store_->execute(
        {"UPDATE survey_push SET state = 'pending' WHERE state = 'suppressed'"
         " AND reason LIKE 'not drawn%'",
         {}});
  edit(edited);
}

// What a restored ledger has lost may be at the service already.
void ScheduleRun::note_not_drawn() {
  std::set<std::string> aside, arrived;
  const std::string sql =
      "SELECT \"key\" FROM survey_push WHERE state = 'suppressed' AND reason LIKE 'not drawn%'";
  for (const auto& row : store_->query({sql, {}}).rows)
    aside.insert(std::get<std::string>(row.at(0)));
  for (const auto& customer : service_.customers())
    for (const auto& [column, value] : customer.data)
      arrived.insert(value);
  for (const auto& order : drawn_.orders)
    if (aside.contains(order.key) && !arrived.contains(order.stored)) not_drawn_.insert(order.key);
}

// The CRM gets the names that were missing.
void ScheduleRun::name_orders() {
  for (const Order* order : came_)
    if (order->named_at > TimePoint::min() && order->named_at <= clock_.now)
      crm().execute({"UPDATE orders SET first_name = :p1 WHERE id = :p2 AND first_name IS NULL",
                     {order->first_name, order->key}});
}

// The daemons read the configuration again.
void ScheduleRun::edit(const Variant& variant) {
  if (variant == variant_) return;
  variant_ = variant;
  use_variant();
  for (auto& host : hosts_) {
    if (host.paused || !host.instance) continue;
    try {
      host.instance->leave();
    } catch (const in_process::Died&) {
      ++crashes_;
    }
    host.instance.reset();
    host.starts_at = clock_.now;
  }
}

// The operator stops the daemons, and starts them at the new place once the tables are there. One
// that stands still cannot be stopped: it goes on with the old place until the operator looks
// again.
void ScheduleRun::move() {
  if (!moves_ && !moved_) {
    moves_ = faults_ && happens(extras_, 0.1);
    if (moves_) remove_database(database_ + ".moved");
  }
  const bool done = moves_ && move_tables();
  for (auto& host : hosts_) {
    if (host.paused) host.is_at_old_place = host.is_at_old_place || done;
    if (host.paused || (!moves_ && !host.is_at_old_place)) continue;
    host.instance.reset();
    host.starts_at = clock_.now + (done || moved_ ? Duration{0} : kOperatorEvery);
  }
  if (done) moves_ = false;
}

// Returns whether all is done. It is tried again by the next look of the operator.
bool ScheduleRun::move_tables() {
  const auto fail = [this](const in_process::Moment& moment) {
    using Moment = in_process::Moment;
    if (faults_ && moment.side == Moment::Side::before && happens(extras_, 0.01))
      throw crm::DatabaseError(crm::DatabaseError::Kind::connection, "the simulator says no");
  };
  const auto open = [&](const std::string& file) {
    return in_process::watched(crm::open_database("sqlite3://" + file), clock_, fail);
  };
  const std::string file = database_ + ".moved";
  try {
    const auto from = open(database_), to = open(file);
    if (const auto why = crm::why_not_to(*to)) throw std::runtime_error("move: " + *why);
    if (!crm::owners_at_work(*from).empty()) return false;
    crm::close_for_move(*from, *to, "new.toml");
    crm::copy_tables(*from, *to);
  } catch (const crm::DatabaseError&) {
    return false;
  }
  database_ = file;
  store_ = in_process::watched(crm::open_database("sqlite3://" + file), clock_, {});
  moved_ = true;
  return true;
}

// Never forward by so much that `settle` ends before the last late request arrives.
void ScheduleRun::step_clock() {
  constexpr Duration kFurthest = std::chrono::minutes{-20};
  if (faults_ && happens(extras_, 0.2))
    clock_.database_step =
        std::max(kFurthest, clock_.database_step - minutes_between(extras_, 1, 20));
  else
    clock_.database_step =
        std::min(Duration{0}, clock_.database_step + Duration{std::chrono::minutes{2}});
}

// Somebody is put on the list, in one of the ways in which people write addresses.
void ScheduleRun::block_somebody(const std::string& list, Random& random) {
  const int person = between(random, 0, 20);
  const std::string address = "person" + std::to_string(person) + "@example.test";
  static constexpr const char* kForms[] = {"{}", " {}\r\n", "Some Body <{}>", "mailto:{}",
                                           "other@example.test; {}"};
  blocked_[list].insert(address);
  block(list, fmt::format(fmt::runtime(kForms[between(random, 0, 4)]), address));
}

void ScheduleRun::block(const std::string& list, const std::string& who) {
  crm().execute({"INSERT INTO " + list + " VALUES (:p1)", {who}});
}

// `forget`, as another process would do it.
void ScheduleRun::forget_somebody() {
  if (came_.empty() || moves_) return;  // no ledger is open
  const int order = between(forgets_, 0, static_cast<int>(came_.size()) - 1);
  const std::string& address = came_[static_cast<std::size_t>(order)]->email;
  forget(address);
  if (broken_ == Broken::lose_the_forgotten) store_->execute({"DELETE FROM survey_person", {}});
  forgotten_.insert(config::lower_case(address));
}

void ScheduleRun::forget(const std::string& address) {
  const std::string person = mapping::person_of(daemon::person_key(*store_), address);
  crm::forget(*store_, crm(), person, address,
              {kOrders.correlate, kOrders.other, kReturns.correlate, kReturns.other});
}

}  // namespace simulation
