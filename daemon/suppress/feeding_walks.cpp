#include "daemon/suppress/feeding_walks.hpp"

#include <algorithm>

#include "daemon/lists/pull_filters.hpp"

namespace surveybridge::daemon {

namespace {

using List = config::Pull::List;
using Since = config::Suppress::Contact::Since;

bool counts(const config::Suppress& suppress, Since since) {
  return std::ranges::any_of(suppress.contact,
                             [=](const auto& rule) { return rule.since == since; });
}

bool feeds(const config::Suppress& suppress, List list, const std::string& by) {
  if (list == List::bouncers) return true;
  return by == "LastActivityDate" || (by == "OptedOutDate" && suppress.opted_out) ||
         (by == "DateInvited" && counts(suppress, Since::invitation)) ||
         (by == "SurveyFinishedDate" && counts(suppress, Since::answer));
}

}  // namespace

std::vector<FeedingWalk> feeding_walks(const config::Settings& settings) {
  std::vector<FeedingWalk> feeding;
  if (!settings.suppress) return feeding;
  const auto& suppress = *settings.suppress;
  for (const auto& pull : settings.pulls) {
    const bool needed = (pull.list == List::customers && suppress.needs_customers()) ||
                        (pull.list == List::bouncers && suppress.needs_bouncers());
    if (!needed) continue;
    const auto own = own_walks(settings, pull.name);
    for (const auto& walk : plan_walks(pull, settings.service.dialect)) {
      const bool is_own = std::ranges::find(own, walk.name) != own.end();
      if (!is_own && !feeds(suppress, pull.list, walk.by)) continue;
      const Duration longer =
          !is_own && walk.every > suppress.stale_after ? walk.every : Duration{0};
      feeding.push_back({pull.name, walk.name, walk.by, suppress.stale_after + longer, walk.every});
    }
  }
  return feeding;
}

}  // namespace surveybridge::daemon
