#include "daemon/suppress/brake.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <set>
#include <utility>

#include "config/text.hpp"
#include "connectors/crm/daemon_state/sweep_store.hpp"
#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/driver/cell_text.hpp"
#include "connectors/crm/ledger/ledger.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "daemon/context/push_window.hpp"
#include "daemon/job/command_text.hpp"
#include "daemon/job/length_text.hpp"
#include "daemon/suppress/brake_rule.hpp"
#include "mapping/field_map/constant.hpp"

namespace surveybridge::daemon {

namespace {

constexpr std::size_t kDateBytes = 40;
constexpr int kChunk = 10'000;
constexpr std::size_t kKeysMax = 1'000'000;  // more are a flood in any case

// Those that the ledger does not know.
std::vector<std::string> keys_in(crm::Source& source, const crm::Window& window) {
  std::vector<std::string> keys;
  crm::Position at;
  for (bool end = false; !end && keys.size() < kKeysMax;) {
    auto chunk = source.chunk(window, at, kChunk);
    keys.insert(keys.end(), std::make_move_iterator(chunk.keys.begin()),
                std::make_move_iterator(chunk.keys.end()));
    at = std::move(chunk.next);
    end = chunk.end;
  }
  return keys;
}

constexpr Duration kCountedAgain = std::chrono::minutes{1};
// For rows that wait longer no release is kept: it would let others go meanwhile.
constexpr std::chrono::hours kReleaseKept{24 * 3};

// Rows that only the changed query returns, and that are older than the last sweep of before or its
// last batch: no sweep of another query is stored while it has sent nothing, and not each is
// (sweeps.cpp). Where no sweep has ended yet, all rows up to now are. In another zone or CRM nobody
// can ask for the keys of before.
OlderRows older_rows(const config::Push& push, const CrmIdentity& of, const crm::BrakeState& state,
                     crm::Source& source, crm::Database& crm, crm::Database& store,
                     TimePoint crm_now) {
  if (state.query.empty()) return {};
  const auto swept = crm::last_sweep(store, push.name);
  const auto sent = crm::Brakes(store).last_batch(push.name);
  const Duration ahead = crm_now - store.now();
  const TimePoint until = !swept ? crm_now : sent ? std::max(*swept, *sent + ahead) : *swept;
  const TimePoint since = found_since(push, of.zone, store, crm_now);
  if (since >= until) return {};
  std::set<std::string> known;
  try {
    const auto asked = asked_by(state.query, push);
    if (asked && asked->crm.zone == of.zone && is_same_database(asked->crm, of)) {
      crm::Source before(crm, store, crm::source_query(asked->push, of.zone));
      before.columns();
      const TimePoint from = found_since(asked->push, of.zone, store, crm_now);
      for (auto& key : keys_in(before, {std::min(std::max(since, from), until), until}))
        known.insert(std::move(key));
    }
  } catch (const crm::DatabaseError& error) {
    if (error.kind != crm::DatabaseError::Kind::other) throw;
    // It cannot be asked any more: a column of it is gone, say.
  }
  auto keys = keys_in(source, {since, until});
  std::erase_if(keys, [&](const std::string& key) { return known.contains(key); });
  OlderRows older{static_cast<std::int64_t>(keys.size())};
  if (keys.empty()) return older;
  const auto first = source.by_key({keys.front()});
  const auto when = std::ranges::find(first.columns, push.when, &crm::Column::name);
  if (!first.rows.empty() && when != first.columns.end()) {
    const auto& cells = first.rows.front().cells;
    const auto& cell = cells.at(static_cast<std::size_t>(when - first.columns.begin()));
    older.oldest = config::first_bytes(crm::parameter_text(cell, store.dialect()), kDateBytes);
    constexpr std::string_view kNoFraction = ".000000";
    const auto fraction = older.oldest.find(kNoFraction);
    if (fraction != std::string::npos) older.oldest.erase(fraction, kNoFraction.size());
  }
  return older;
}

}  // namespace

CrmIdentity crm_identity(const config::Settings& settings, crm::Database& crm) {
  const bool is_apart = settings.store && settings.store->connection.set();
  CrmIdentity identity{settings.crm.time_zone, "", !is_apart};
  const auto& of = crm::traits(crm.dialect());
  std::string name = crm::text_in(crm::query_value(crm, std::string(of.database_name)));
  std::ranges::replace(name, '\n', ' ');  // it is a part of a line
  if (!name.empty()) identity.database = std::string(of.product) + " " + name;
  return identity;
}

namespace {

bool is_changed(const std::optional<crm::BrakeState>& state, const config::Push& push,
                const CrmIdentity& crm) {
  return state && !state->fingerprint.empty() && !asks_the_same(*state, push, crm);
}

}  // namespace

bool has_changed_query(const config::Push& push, const config::Settings& settings,
                       crm::Database& crm, crm::Database& store) {
  return is_changed(crm::Brakes(store).load(push.name), push, crm_identity(settings, crm));
}

bool has_changed_query(const config::Push& push, JobContext& context) {
  return has_changed_query(push, context.settings(), context.crm(), context.database());
}

std::int64_t drawn_of(const config::Push& push, std::int64_t rows) {
  return static_cast<std::int64_t>(std::ceil(static_cast<double>(rows) * push.sample));
}

std::int64_t count_waiting(const config::Push& push, crm::Database& database, crm::Source& source,
                           const std::string& zone, TimePoint db_now) {
  const TimePoint since = found_since(push, zone, database, db_now);
  return drawn_of(push, source.count(since, db_now)) +
         crm::Ledger(database).count_due(push.name, database.now());
}

std::string Brake::told(const std::string& reason) const {
  return "the brake holds: " + reason + ". See `" +
         with_file("surveybridge release " + push_.name, context_.settings().file) + "`";
}

const CrmIdentity& Brake::crm() {
  if (!crm_) crm_ = crm_identity(context_.settings(), context_.crm());
  return *crm_;
}

std::optional<std::string> Brake::holds() {
  const auto state = crm::Brakes(context_.database()).load(push_.name);
  const std::string service = service_of(push_, context_.settings());
  allowance_ = state && is_of(*state, push_, crm(), service) ? state->allowance : 0;
  changed_ = is_changed(state, push_, crm());
  reason_ = state ? state->reason : "";
  if (reason_.empty()) return std::nullopt;
  if (!is_taken_back(push_, crm(), service, *state)) return told(reason_);
  context_.log().info("the change that held this push was taken back: it is held no longer",
                      {.job = "push." + push_.name});
  end();
  return std::nullopt;
}

std::size_t Brake::most() const {
  return allowance_ > 0 ? static_cast<std::size_t>(allowance_) : SIZE_MAX;
}

std::int64_t NextToGo::rows(const config::Push& push) const {
  return sends > 0 ? sends : drawn_of(push, aside);
}

std::int64_t NextToGo::waiting(const config::Push& push, bool is_first_run) const {
  if (!more && !is_first_run) return rows(push);
  const std::int64_t all = count();
  if (push.sample < 1) return std::max(sends, all);  // of `aside` most were not drawn
  return all - (sends > 0 ? aside : 0);
}

std::optional<std::string> why_brake_holds(const config::Push& push,
                                           const config::Settings& settings,
                                           const std::optional<crm::BrakeState>& state,
                                           std::int64_t sends,
                                           const std::function<std::int64_t()>& waiting,
                                           crm::Source& source, crm::Database& crm,
                                           crm::Database& store, TimePoint db_now) {
  const CrmIdentity of = crm_identity(settings, crm);
  const std::string service = service_of(push, settings);
  crm::Brakes brakes(store);
  crm::Flow flow = brakes.flow(push.name, db_now);
  if (state && !state->service.empty() && state->service != service)
    flow.by_service = brakes.by_service(push.name);
  const auto older = [&] {
    const TimePoint crm_now = &crm == &store ? db_now : crm.now();
    return older_rows(push, of, *state, source, crm, store, crm_now);
  };
  return brakes_on(push, state, flow, {sends, waiting, service, older, of}, db_now);
}

std::optional<std::string> Brake::look(const NextToGo& next, crm::Source& source,
                                       TimePoint db_now) {
  if (!push_.brake && !push_.max_per_hour) return std::nullopt;
  if (allowance_ > 0) return std::nullopt;  // a person has said so; what is behind it is looked at
  crm::Database& store = context_.database();
  crm::Brakes brakes(store);
  const auto state = brakes.load(push_.name);
  const bool same = state && is_of(*state, push_, crm(), service_of(push_, context_.settings()));
  const bool known = next.rows(push_) <= looked_at_ && same;
  if (known && !push_.max_per_hour) return std::nullopt;
  if (!known) looked_at_ = 0;
  const auto waiting = [&] {
    if (looked_at_ == 0) looked_at_ = next.waiting(push_, !state);
    return looked_at_;
  };
  const auto why = why_brake_holds(push_, context_.settings(), state, next.sends, waiting, source,
                                   context_.crm(), store, db_now);
  if (!why) {
    if (push_.brake && state && !asks_the_same(*state, push_, crm()))
      context_.log().info(
          "the query, key, when, start, look_back, [crm] connection or time_zone was changed: "
          "up to " +
              counted(waiting(), "row") + " go out, no more than pass unasked",
          {.job = "push." + push_.name});
    return std::nullopt;
  }
  looked_at_ = 0;
  brakes.hold(push_.name, *why);
  return told(*why);
}

std::string Brake::hold(const std::string& reason) {
  crm::Brakes(context_.database()).hold(push_.name, reason);
  return told(reason);
}

void Brake::end() {
  crm::Brakes(context_.database()).end(push_.name, reason_);
  reason_.clear();
}

crm::Quota Brake::quota() {
  took_none_ = false;
  if (allowance_ == 0) return {};
  crm::Database& database = context_.database();
  const std::string& push = push_.name;
  return {[this, &database, &push](std::int64_t rows) {
            const std::int64_t taken = crm::Brakes(database).take(push, rows);
            took_none_ = taken == 0;
            return taken;
          },
          [&database, &push](std::int64_t rows) { crm::Brakes(database).give_back(push, rows); }};
}

void Brake::pass(std::size_t rows) {
  const auto passed = static_cast<std::int64_t>(rows);
  looked_at_ = std::max<std::int64_t>(0, looked_at_ - passed);
  if (passed > 0 && std::exchange(changed_, false))
    crm::keep_set_aside(context_.database(), push_.name);
  if (passed > 0)
    crm::Brakes(context_.database())
        .pass(push_.name, fingerprint_of(push_, zone()), passed,
              service_of(push_, context_.settings()), query_text(push_, crm()));
}

void Brake::rest(crm::Source& source) {
  looked_at_ = 0;
  if (allowance_ == 0) return;
  const Duration now = context_.environment().uptime();
  if (counted_at_ && now - *counted_at_ < kCountedAgain) return;
  counted_at_ = now;
  crm::Database& database = context_.database();
  const TimePoint db_now = database.now();
  const auto waiting = count_waiting(push_, database, source, zone(), db_now);
  if (waiting == 0 && crm::Ledger(database).count_due(push_.name, db_now + kReleaseKept) == 0)
    crm::Brakes(database).lapse(push_.name, allowance_);
}

}  // namespace surveybridge::daemon
