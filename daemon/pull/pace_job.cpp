#include "daemon/pull/pace_job.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "connectors/crm/daemon_state/pace_store.hpp"
#include "daemon/job/command_text.hpp"
#include "mapping/values/dates.hpp"

namespace surveybridge::daemon {

namespace {
constexpr Duration kEvery = std::chrono::seconds{30};
// A long wait is written sooner: how often it is looked for, and its least length.
constexpr Duration kLook = std::chrono::seconds{5};
constexpr Duration kWrittenSoon = std::chrono::seconds{15};
}  // namespace

std::string pace_key(const config::Settings& settings) {
  return settings.service.base_url.substr(0, 100);
}

void recall_pace(crm::Database& database, Pace& pace, const std::string& service) {
  const auto rows = crm::PaceStore(database).load(service);
  if (rows.empty()) return;
  const auto& last = rows.front();
  const double instances = static_cast<double>(std::max<std::int64_t>(1, last.share));
  // A rise above the edge is not recalled: the edge is what is known.
  const auto known = [&](const crm::PaceRow::Rate& kept) {
    const double rate = kept.edge > 0 ? std::min(kept.edge, kept.per_second) : kept.per_second;
    return LearnedRate::Learned{rate * instances, kept.edge * instances};
  };
  Pace::Learned learned{known(last.all), std::nullopt};
  if (last.read) learned.read = known(*last.read);
  pace.recall(learned);
}

void keep_pace(crm::Database& database, Pace& pace, const std::string& service,
               const std::string& owner, std::chrono::seconds lives,
               const std::function<bool(const std::string& owner)>& has_ended) {
  crm::PaceStore paces(database);
  const TimePoint db_now = database.now();
  const auto rows = paces.load(service);
  std::int64_t others = 0;
  for (const auto& other : rows) {
    if (other.owner == owner || other.live_until <= db_now) continue;
    if (has_ended && has_ended(other.owner))
      paces.end(service, other.owner);
    else
      ++others;
  }
  crm::PaceRow row;
  row.owner = owner;
  row.share = others + 1;
  pace.share(static_cast<int>(row.share));
  const auto known = pace.known();
  row.all = {known.learned.all.per_second, known.learned.all.edge};
  if (const auto& read = known.learned.read) row.read = {{read->per_second, read->edge}};
  row.refused_at = known.refused_at;
  row.held_until = known.held_until;
  row.waiting = fmt::format("{}", fmt::join(known.waiting, ", "));
  paces.save(service, row, lives);
}

PaceJob::PaceJob(const Shared& shared)
    : service_(pace_key(shared.settings)), owner_(shared.environment.owner), context_(shared) {}

TimePoint PaceJob::step(TimePoint now) {
  // By a clock that only moves forward: an instance that does not write counts as ended.
  const Duration uptime = context_.environment().uptime();
  if (recalled_ && uptime < kept_at_ + kEvery && !has_changed(now)) return now + kLook;
  context_.open();
  if (!recalled_) recall_pace(context_.database(), context_.pace(), service_);
  recalled_ = true;
  keep_pace(context_.database(), context_.pace(), service_, owner_, kPaceLives,
            context_.environment().has_ended);
  kept_at_ = uptime;
  const TimePoint until = context_.pace().held_until();
  if (until > now + kLongWait && until > told_until_ + kLongWait) {
    context_.log().warn("the service has asked to wait: no request leaves before " +
                            mapping::write_instant(std::chrono::ceil<std::chrono::seconds>(until)) +
                            "; " + with_file("surveybridge now", context_.settings().file) +
                            " tries at once",
                        {.job = name_});
  }
  told_until_ = until;
  told_refusal_ = context_.pace().known().refused_at;
  status_.caught_up = true;
  return now + kLook;
}

// A long wait has begun or ended, or the service has refused for the first time in a while, and the
// database does not have it yet.
bool PaceJob::has_changed(TimePoint now) const {
  const TimePoint until = context_.pace().held_until();
  const auto refused_at = context_.pace().known().refused_at;
  const bool refused = refused_at && (!told_refusal_ || *refused_at > *told_refusal_ + kEvery);
  return refused || (until > now + kWrittenSoon && until > told_until_ + kWrittenSoon);
}

void PaceJob::leave() {
  if (!recalled_) return;
  keep_pace(context_.database(), context_.pace(), service_, owner_, std::chrono::seconds{0});
}

}  // namespace surveybridge::daemon
