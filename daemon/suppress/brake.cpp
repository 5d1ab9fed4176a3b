#include "daemon/suppress/brake.hpp"

#include <algorithm>
#include <cstdint>

#include "connectors/crm/ledger/ledger.hpp"
#include "daemon/job/command_text.hpp"
#include "daemon/job/length_text.hpp"
#include "daemon/suppress/brake_rule.hpp"
#include "mapping/field_map/constant.hpp"

namespace surveybridge::daemon {

namespace {

constexpr Duration kCountedAgain = std::chrono::minutes{1};

}  // namespace

std::int64_t count_waiting(const config::Push& push, crm::Database& database, crm::Source& source,
                           const std::string& zone, TimePoint db_now) {
  const TimePoint since = std::max(mapping::instant_of(push.start, zone), db_now - push.look_back);
  return source.count(since, db_now) + crm::Ledger(database).count(push.name, crm::State::pending);
}

std::optional<std::string> Brake::told(const std::string& reason) const {
  return "the brake holds: " + reason + ". See `" +
         with_file("surveybridge release " + push_.name, context_.settings().file) + "`";
}

std::optional<std::string> Brake::holds() {
  const auto state = crm::Brakes(context_.database()).load(push_.name);
  allowance_ = state ? state->allowance : 0;
  reason_ = state ? state->reason : "";
  if (reason_.empty()) return std::nullopt;
  return told(reason_);
}

std::size_t Brake::most() const {
  return allowance_ > 0 ? static_cast<std::size_t>(allowance_) : SIZE_MAX;
}

std::optional<std::string> Brake::look(std::int64_t rows, std::int64_t sends, bool more,
                                       const std::function<std::int64_t()>& count,
                                       TimePoint db_now) {
  if (!push_.brake && !push_.max_per_hour) return std::nullopt;
  if (allowance_ > 0) return std::nullopt;  // a person has said so; what is behind it is looked at
  crm::Brakes brakes(context_.database());
  const auto state = brakes.load(push_.name);
  const std::string service = service_of(push_, context_.settings());
  const bool same = state && state->fingerprint == fingerprint_of(push_) &&
                    (state->service.empty() || state->service == service);
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
  const auto why = brakes_on(push_, state, flow, {sends, waiting, service}, db_now);
  if (!why) {
    if (push_.brake && state && state->fingerprint != fingerprint_of(push_))
      context_.log().info("the query, key, when, start or look_back was changed: up to " +
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
  return *told(reason);
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
  if (passed > 0)
    crm::Brakes(context_.database())
        .pass(push_.name, fingerprint_of(push_), passed, service_of(push_, context_.settings()));
}

void Brake::rest(const std::function<std::int64_t()>& count) {
  looked_at_ = 0;
  if (allowance_ == 0) return;
  const Duration now = context_.environment().uptime();
  if (counted_at_ && now - *counted_at_ < kCountedAgain) return;
  counted_at_ = now;
  if (count() == 0) crm::Brakes(context_.database()).lapse(push_.name, allowance_);
}

}  // namespace surveybridge::daemon
