#include "daemon/push/never_listed_job.hpp"

#include "connectors/crm/daemon_state/count_store.hpp"
#include "daemon/push/count_rest.hpp"
#include "daemon/push/never_listed.hpp"

namespace surveybridge::daemon {

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
