#include "daemon/suppress/brake.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <set>
#include <utility>

#include "config/text.hpp"
#include "connectors/crm/daemon_state/sweep_store.hpp"
#include "connectors/crm/driver/cell_text.hpp"
#include "connectors/crm/ledger/ledger.hpp"
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

}  // namespace

bool has_changed_query(const config::Push& push, const std::string& zone, crm::Database& database) {
  const auto state = crm::Brakes(database).load(push.name);
  return state && !state->fingerprint.empty() && state->fingerprint != fingerprint_of(push, zone);
}

std::int64_t drawn_of(const config::Push& push, std::int64_t rows) {
  return static_cast<std::int64_t>(std::ceil(static_cast<double>(rows) * push.sample));
}

std::int64_t count_waiting(const config::Push& push, crm::Database& database, crm::Source& source,
                           const std::string& zone, TimePoint db_now) {
  const TimePoint since = found_since(push, zone, database, db_now);
  return drawn_of(push, source.count(since, db_now)) +
         crm::Ledger(database).count(push.name, crm::State::pending);
}

std::string Brake::told(const std::string& reason) const {
  return "the brake holds: " + reason + ". See `" +
         with_file("surveybridge release " + push_.name, context_.settings().file) + "`";
}

std::optional<std::string> Brake::holds() {
  const auto state = crm::Brakes(context_.database()).load(push_.name);
  const bool same = state && is_of(*state, push_, zone(), service_of(push_, context_.settings()));
  allowance_ = same ? state->allowance : 0;
  changed_ =
      state && !state->fingerprint.empty() && state->fingerprint != fingerprint_of(push_, zone());
  reason_ = state ? state->reason : "";
  if (reason_.empty()) return std::nullopt;
  if (!is_taken_back(push_, context_.settings(), *state)) return told(reason_);
  context_.log().info("the change that held this push was taken back: it is held no longer",
                      {.job = "push." + push_.name});
  end();
  return std::nullopt;
}

std::size_t Brake::most() const {
  return allowance_ > 0 ? static_cast<std::size_t>(allowance_) : SIZE_MAX;
}

std::optional<std::string> Brake::look(std::int64_t rows, std::int64_t sends, bool more,
                                       const std::function<std::int64_t()>& count,
                                       crm::Source& source, TimePoint db_now) {
  if (!push_.brake && !push_.max_per_hour) return std::nullopt;
  if (allowance_ > 0) return std::nullopt;  // a person has said so; what is behind it is looked at
  crm::Brakes brakes(context_.database());
  const auto state = brakes.load(push_.name);
  const std::string service = service_of(push_, context_.settings());
  const bool same = state && is_of(*state, push_, zone(), service);
  const bool known = rows <= looked_at_ && same;
  if (known && !push_.max_per_hour) return std::nullopt;
  if (!known) looked_at_ = 0;
  const auto waiting = [&] {
    if (looked_at_ == 0) looked_at_ = !more && state ? rows : count();
    return looked_at_;
  };
  crm::Flow flow = brakes.flow(push_.name, db_now);
  if (state && !state->service.empty() && state->service != service)
    flow.by_service = brakes.by_service(push_.name);
  const auto why = brakes_on(
      push_, state, flow,
      {sends, waiting, service, [&] { return older_rows(*state, source, db_now); }, zone()},
      db_now);
  if (!why) {
    if (push_.brake && state && state->fingerprint != fingerprint_of(push_, zone()))
      context_.log().info(
          "the query, key, when, start, look_back or [crm] time_zone was changed: "
          "up to " +
              counted(waiting(), "row") + " go out, no more than pass unasked",
          {.job = "push." + push_.name});
    return std::nullopt;
  }
  looked_at_ = 0;
  brakes.hold(push_.name, *why);
  return told(*why);
}

// Rows that only the changed query returns, and that are older than the last sweep of before: no
// sweep of another query is stored while it has sent nothing (sweeps.cpp). Where no sweep has ended
// yet, all rows up to now are. In another zone nobody can ask for the keys of before.
OlderRows Brake::older_rows(const crm::BrakeState& state, crm::Source& source, TimePoint db_now) {
  crm::Database& store = context_.database();
  if (state.query.empty()) return {};
  const TimePoint until = crm::last_sweep(store, push_.name).value_or(context_.crm_now(db_now));
  const TimePoint since = found_since(push_, zone(), store, context_.crm_now(db_now));
  if (since >= until) return {};
  std::set<std::string> known;
  try {
    if (const auto asked = asked_by(state.query, push_); asked && asked->zone == zone()) {
      crm::Source before(context_.crm(), store, crm::source_query(asked->push, zone()));
      before.columns();
      const TimePoint from = found_since(asked->push, zone(), store, context_.crm_now(db_now));
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
  const auto when = std::ranges::find(first.columns, push_.when, &crm::Column::name);
  if (!first.rows.empty() && when != first.columns.end()) {
    const auto& cells = first.rows.front().cells;
    const auto& cell = cells.at(static_cast<std::size_t>(when - first.columns.begin()));
    older.oldest = config::first_bytes(crm::parameter_text(cell, store.dialect()), kDateBytes);
  }
  return older;
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
              service_of(push_, context_.settings()), query_text(push_, zone()));
}

void Brake::rest(crm::Source& source) {
  looked_at_ = 0;
  if (allowance_ == 0) return;
  const Duration now = context_.environment().uptime();
  if (counted_at_ && now - *counted_at_ < kCountedAgain) return;
  counted_at_ = now;
  crm::Database& database = context_.database();
  if (count_waiting(push_, database, source, zone(), database.now()) == 0)
    crm::Brakes(database).lapse(push_.name, allowance_);
}

}  // namespace surveybridge::daemon
