#include "daemon/push/never_listed_job.hpp"

#include "daemon/push/never_listed.hpp"

namespace surveybridge::daemon {

namespace {

constexpr Duration kEvery = std::chrono::minutes{10};

}  // namespace

NeverListedJob::NeverListedJob(const config::Push& push, const Shared& shared, std::uint64_t seed)
    : push_(push),
      name_("listed." + push.name),
      context_(shared),
      retry_(shared.log, name_, shared.pace, status_, seed) {}

TimePoint NeverListedJob::step(TimePoint now) {
  status_.caught_up = false;
  context_.open();
  const auto rows = count_never_listed(context_.settings(), push_, context_.database());
  retry_.succeeded(never_listed_text(rows.value_or(0), context_.settings().file));
  status_.caught_up = true;
  return now + kEvery;
}

}  // namespace surveybridge::daemon
