#include "daemon/suppress/brake_rule.hpp"

#include <algorithm>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "config/clock.hpp"
#include "connectors/crm/dialect/limits.hpp"
#include "daemon/job/length_text.hpp"
#include "mapping/values/dates.hpp"
#include "mapping/values/name_uuid.hpp"
#include "mapping/values/text.hpp"

namespace surveybridge::daemon {

namespace {

using std::chrono::days;

// So many are no flood, whatever was usual.
constexpr std::int64_t kFew = 100;
// How many usual days make a flood, beside those on which the push was closed.
constexpr std::int64_t kDays = 5;
constexpr std::chrono::hours kDay{24};
constexpr std::int64_t kDaysLeast = 7;

bool sends_on(const config::Push& push, std::chrono::local_days day) {
  const auto& named = push.send_days;
  const bool is_named =
      named.empty() || std::ranges::find(named, std::chrono::weekday{day}) != named.end();
  return is_named && !push.closed.contains(day);
}

// The days up to yesterday on which nothing was sent. What came on them goes out now.
std::int64_t days_closed(const config::Push& push, const std::string& zone, TimePoint now) {
  const auto today = std::chrono::floor<days>(mapping::to_zone(now, zone));
  auto last = today - days{1};
  while (!sends_on(push, last))
    last -= days{1};
  return (today - last).count() - 1;
}

// Rows of some usual days, as far as a push is old enough to say. The last one, which is judged, is
// among them only where there are too few others.
std::int64_t passes_unasked(const crm::Flow& flow, std::int64_t closed, TimePoint now) {
  if (!flow.first_batch) return kFew;
  const auto age = (now - *flow.first_batch) / kDay;
  const bool tells = age > kDaysLeast;
  const auto sent = std::max<std::int64_t>(1, age - closed - (tells ? 1 : 0));
  const auto usual = flow.usual - (tells ? flow.last_day : 0);
  return std::max(kFew, usual / sent * (kDays + closed));
}

// The account that a token or a header stands for has no name here.
std::string account(const config::Auth& auth) {
  const std::string& name = auth.kind == config::Auth::Kind::oauth2 ? auth.client_id : auth.user;
  return name.empty() ? "" : " as " + name;
}

std::string place(const config::Settings& settings, bool test) {
  const std::string text = settings.service.base_url + account(settings.service.auth) +
                           (test ? " (test customers)" : "");
  return text.size() <= crm::kKeyBytesMax ? text : mapping::name_uuid(text);
}

// " (90 to https://one, 10 to https://two)"; nothing where there is one place only.
std::string places(const crm::Flow& flow) {
  std::string all;
  for (const auto& [service, rows] : flow.by_service)
    all += (all.empty() ? " (" : ", ") + std::to_string(rows) + " to " + service;
  return flow.by_service.size() < 2 ? "" : all + ")";
}

}  // namespace

std::string fingerprint_of(const config::Push& push, const std::string& zone) {
  const auto start = push.start.local.time_since_epoch().count();
  const auto offset = push.start.offset ? push.start.offset->count() : 0;
  return mapping::name_uuid(push.query + "\n" + push.key + "\n" + push.when + "\n" +
                            std::to_string(start) + " " + std::to_string(offset) + "\n" +
                            config::write_duration(push.look_back) + "\n" + zone);
}

std::string query_text(const config::Push& push, const CrmIdentity& crm) {
  return fmt::format("{}\n{}\nfrom {} {} {} {}{}{}\n{}", push.key, push.when,
                     push.start.local.time_since_epoch().count(),
                     push.start.offset ? std::to_string(push.start.offset->count()) : "local",
                     push.look_back.count(), crm.zone, crm.database.empty() ? "" : " ",
                     crm.database, push.query);
}

std::optional<Asked> asked_by(const std::string& query_text, const config::Push& push) {
  std::istringstream text(query_text);
  config::Push before = push;
  std::string bounds, word, offset;
  CrmIdentity crm;
  std::getline(text, before.key);
  std::getline(text, before.when);
  std::getline(text, bounds);
  std::istringstream words(bounds);
  std::int64_t start = 0, look_back = 0;
  if (!(words >> word >> start >> offset >> look_back >> crm.zone) || word != "from")
    return std::nullopt;
  std::getline(words >> std::ws, crm.database);
  using Local = decltype(before.start.local);
  before.start.local = Local(Local::duration{start});
  before.start.offset.reset();
  if (offset != "local") before.start.offset = std::chrono::minutes{std::stol(offset)};
  before.look_back = config::Milliseconds{look_back};
  before.query.assign(std::istreambuf_iterator<char>(text), {});
  return Asked{std::move(before), std::move(crm)};
}

bool is_test(const config::Batch& batch) {
  return batch.is_test.value_or(false) || batch.is_concept.value_or(false);
}

std::string service_of(const config::Push& push, const config::Settings& settings) {
  return place(settings, is_test(push.batch));
}

std::vector<std::string> services_of(const config::Settings& settings) {
  return {place(settings, false), place(settings, true)};
}

bool is_same_database(const CrmIdentity& before, const CrmIdentity& now) {
  return now.has_ledger || before.database.empty() || now.database.empty() ||
         before.database == now.database;
}

bool asks_the_same(const crm::BrakeState& state, const config::Push& push, const CrmIdentity& crm) {
  if (state.fingerprint != fingerprint_of(push, crm.zone)) return false;
  const auto before = asked_by(state.query, push);
  return !before || is_same_database(before->crm, crm);
}

bool is_taken_back(const config::Push& push, const CrmIdentity& crm, const std::string& service,
                   const crm::BrakeState& state) {
  const auto is_for = [&](std::string_view change) { return state.reason.starts_with(change); };
  if (is_for(kQueryChanged) || is_for(kCrmChanged) || is_for(kZoneChanged))
    return asks_the_same(state, push, crm);
  return is_for(kServiceChanged) && state.service == service;
}

bool is_of(const crm::BrakeState& state, const config::Push& push, const CrmIdentity& crm,
           const std::string& service) {
  const bool here = state.service.empty() || service.empty() || state.service == service;
  return here && asks_the_same(state, push, crm);
}

std::string other_key_text(const config::Push& before, const config::Push& after) {
  if (mapping::same_name(before.key, after.key)) return "";
  return fmt::format(
      "key was \"{}\" and is \"{}\": the ledger knows nothing by it, and what was sent goes out"
      " once more",
      before.key, after.key);
}

namespace {

std::string what_changed(const config::Push& push, const crm::BrakeState& state,
                         const CrmIdentity& crm) {
  const auto before = asked_by(state.query, push);
  const bool only_crm = before && state.fingerprint == fingerprint_of(push, before->crm.zone);
  if (only_crm && !is_same_database(before->crm, crm))
    return fmt::format(
        "{}it was the database {} and is {}, and what was sent goes out once more where keys are"
        " others; ",
        kCrmChanged, before->crm.database, crm.database);
  if (only_crm && before->crm.zone != crm.zone) return std::string(kZoneChanged);
  const std::string other_key = before ? other_key_text(before->push, push) : "";
  return std::string(kQueryChanged) + other_key + (other_key.empty() ? "" : "; ");
}

}  // namespace

std::optional<std::string> brakes_on(const config::Push& push,
                                     const std::optional<crm::BrakeState>& state,
                                     const crm::Flow& flow, const Wave& wave, TimePoint now) {
  const bool same = state && is_of(*state, push, wave.crm, wave.service);
  if (same && state->allowance > 0) return std::nullopt;
  if (push.max_per_hour && flow.last_hour + wave.batch > *push.max_per_hour) {
    return std::to_string(flow.last_hour) + " went out within the hour and " +
           std::to_string(wave.batch) + " more would pass max_per_hour (" +
           std::to_string(*push.max_per_hour) + ")";
  }
  if (!push.brake) return std::nullopt;
  if (!state || (state->passed == 0 && !same))
    return "the first run: up to " + counted(wave.waiting(), "transaction") + " would go out";
  if (flow.ledger_empty && state->passed > 0) {
    return "the ledger is empty though " + counted(state->passed, "transaction") +
           " went out before; up to " + std::to_string(wave.waiting()) + " would go out";
  }
  if (!state->service.empty() && !wave.service.empty() && state->service != wave.service) {
    return std::string(kServiceChanged) + counted(state->passed, "transaction") + " went out" +
           places(flow) + ", the last of them to " + state->service +
           ", and the ledger counts them as sent; " + std::to_string(wave.waiting()) +
           " that wait would go to " + wave.service;
  }
  const bool changed = !asks_the_same(*state, push, wave.crm);
  const std::string what = changed ? what_changed(push, *state, wave.crm) : "a spike: ";
  const OlderRows older = changed && wave.older ? wave.older() : OlderRows{};
  if (older.rows > 0) {
    // Those that are set aside or suppressed are among the older ones only.
    return what + "of " + counted(std::max(wave.waiting(), older.rows), "transaction") +
           " that would go out " + std::to_string(older.rows) + " are from before the change" +
           (older.oldest.empty() ? "" : ", the oldest of " + older.oldest);
  }
  const std::int64_t most = passes_unasked(flow, days_closed(push, wave.crm.zone, now), now);
  const std::int64_t waiting = wave.waiting();
  if (waiting + flow.unasked <= most) return std::nullopt;
  return what + "up to " + counted(waiting, "transaction") + " would go out" +
         (flow.unasked > 0 ? " after " + std::to_string(flow.unasked) + " within a day" : "") +
         ", and " + std::to_string(most) + " is what passes unasked";
}

namespace {

// The stretches of one day, in their order.
std::vector<config::Window> stretches(const std::optional<config::Window>& window) {
  constexpr std::chrono::minutes kBegin{0}, kEnd{kDay};
  if (!window) return {{kBegin, kEnd}};
  const auto [from, to] = *window;
  if (from < to) return {{from, to}};
  return {{kBegin, to}, {from, kEnd}};  // through midnight
}

}  // namespace

TimePoint opening(const config::Push& push, const std::string& zone, TimePoint now) {
  const auto local = mapping::to_zone(now, zone);
  const auto open = stretches(push.send_window);
  for (auto day = std::chrono::floor<days>(local);; day += days{1}) {
    if (!sends_on(push, day)) continue;
    for (const auto& [from, to] : open) {
      if (day + to <= local) continue;
      if (day + from <= local) return now;
      const TimePoint at = mapping::in_zone(day + from, zone);
      // In the hour that comes twice the clock will show that time once more.
      return at > now ? at : now + std::chrono::duration_cast<Duration>(day + from - local);
    }
  }
}

}  // namespace surveybridge::daemon
