#include "daemon/pace_job.hpp"

#include <algorithm>

#include "connectors/crm/paces.hpp"

namespace surveybridge::daemon {

namespace {
constexpr Duration kEvery = std::chrono::seconds{30};
}  // namespace

std::string pace_key(const config::Settings& settings) {
  return settings.service.base_url.substr(0, 100);
}

void recall_pace(crm::Database& database, Pace& pace, const std::string& service) {
  const auto rows = crm::Paces(database).load(service);
  if (rows.empty()) return;
  const auto& last = rows.front();
  const double instances = static_cast<double>(std::max<std::int64_t>(1, last.share));
  // Of a look under way nothing is kept: the edge is what is known.
  const double rate = last.edge > 0 ? std::min(last.edge, last.per_second) : last.per_second;
  pace.recall({rate * instances, last.edge * instances});
}

void keep_pace(crm::Database& database, Pace& pace, const std::string& service,
               const std::string& owner, std::chrono::seconds lives) {
  crm::Paces paces(database);
  const TimePoint today = database.now();
  const auto rows = paces.load(service);
  const auto others = std::count_if(rows.begin(), rows.end(), [&](const crm::PaceRow& row) {
    return row.owner != owner && row.live_until > today;
  });
  const int instances = static_cast<int>(others) + 1;
  pace.share(instances);
  const auto known = pace.known();
  crm::PaceRow row{owner, known.learned.per_second, known.learned.edge, instances, {}, {}, {}, {}};
  row.refused_at = known.refused_at;
  row.held_until = known.held_until;
  paces.save(service, row, lives);
}

PaceJob::PaceJob(const Shared& shared)
    : service_(pace_key(shared.settings)), owner_(shared.world.owner), desk_(shared) {}

TimePoint PaceJob::step(TimePoint now) {
  desk_.open();
  if (!recalled_) recall_pace(desk_.database(), desk_.pace(), service_);
  recalled_ = true;
  keep_pace(desk_.database(), desk_.pace(), service_, owner_, kPaceLives);
  standing_.caught_up = true;
  return now + kEvery;
}

void PaceJob::leave() {
  if (!recalled_) return;
  keep_pace(desk_.database(), desk_.pace(), service_, owner_, std::chrono::seconds{0});
}

}  // namespace surveybridge::daemon
