#include "daemon/push/never_listed.hpp"

#include <algorithm>

#include "connectors/crm/daemon_state/count_store.hpp"
#include "connectors/crm/ledger/ledger.hpp"
#include "connectors/crm/people/people.hpp"
#include "daemon/job/command_text.hpp"
#include "daemon/lists/pull_filters.hpp"
#include "daemon/push/ledger_job.hpp"
#include "mapping/field_map/constant.hpp"

namespace surveybridge::daemon {

namespace {

bool lists_every_new_customer(const WalkPlan& walk) {
  const bool dated = walk.by == "LastActivityDate" || walk.by == "TransactionDate";
  return dated && !walk.hides_rows();
}

struct Watched {
  std::string walk;
  TimePoint from;
};

std::optional<Watched> watching_walk(const config::Settings& settings) {
  for (const auto& pull : settings.pulls) {
    if (pull.list != config::Pull::List::customers) continue;
    for (const auto& walk : plan_walks(pull, settings.service.dialect)) {
      if (!lists_every_new_customer(walk) || !walk.from) continue;
      return Watched{walk.name, mapping::instant_of(*walk.from, settings.crm.time_zone)};
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::int64_t> count_never_listed(const config::Settings& settings,
                                               const config::Push& push, crm::Database& database) {
  if (push.correlate.empty()) return std::nullopt;
  const auto watched = watching_walk(settings);
  if (!watched) return std::nullopt;
  const auto fed = crm::People(database).fed("customers", {watched->walk});
  if (!fed) return std::nullopt;
  const auto within = std::max<Duration>(kListedWithin, push.settle);
  return crm::Ledger(database).never_listed(push.name, watched->from, *fed - within);
}

std::optional<std::int64_t> known_never_listed(const config::Settings& settings,
                                               const config::Push& push, crm::Database& database) {
  if (const auto kept = crm::kept_never_listed(database, push.name)) return kept;
  return count_never_listed(settings, push, database);
}

std::string never_listed_text(std::int64_t rows, const std::string& file) {
  if (rows == 0) return "";
  return std::to_string(rows) + (rows == 1 ? " transaction was" : " transactions were") +
         " accepted by the service more than " + std::to_string(kListedWithin.count()) +
         " hours ago and never listed: see `" + with_file("surveybridge verify", file) + "`";
}

NeverListedJob::NeverListedJob(const config::Push& push, const Shared& shared, std::uint64_t seed)
    : push_(push),
      name_("listed." + push.name),
      context_(shared),
      retry_(shared.log, name_, shared.pace, status_, seed) {}

TimePoint NeverListedJob::step(TimePoint now) {
  status_.caught_up = false;
  context_.open();
  const Duration began = context_.environment().uptime();
  const auto rows = count_never_listed(context_.settings(), push_, context_.database());
  crm::keep_never_listed(context_.database(), push_.name, rows);
  retry_.succeeded(never_listed_text(rows.value_or(0), context_.settings().file));
  status_.caught_up = true;
  return now + rest_after_count(context_.environment().uptime() - began);
}

}  // namespace surveybridge::daemon
