// Do fewer rows come than usual? A query whose condition no longer fits finds nothing, and nothing
// fails. Pure.
//
// What came in the last 1 to 28 days is compared with the same days of the week of up to
// eight weeks before, or of 13 where few come. It is too little where it is at most two thirds of
// their mean, and where chance would bring so few less than once in some years, as they scatter.
// docs/GUARANTEES.md says how soon that finds a stop or a halving.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "config/settings.hpp"
#include "connectors/crm/pulled/arrivals.hpp"
#include "daemon/job/job.hpp"

namespace surveybridge::daemon {

struct TooFew {
  int days = 0;                        // the length of time that is judged, up to now
  std::int64_t came = 0;               // in it
  std::int64_t usual = 0;              // or what [push.NAME] expect asks for; 0: none has come ever
  std::optional<TimePoint> last = {};  // the hour in which something came last; empty: none known
  std::string look = {};               // where to look (few_look.hpp); empty: not known
  bool operator==(const TooFew&) const = default;
};

// By the shortest length that shows it. Empty: enough comes, or the history is too short: three
// weeks, or the days that `expect` names; a week where it has nothing at all. `waiting`: rows that
// were found and are not in the ledger yet. `closed`: days by the clock of `zone` on which nothing
// is expected.
std::optional<TooFew> too_few(const config::Expect& expect, const crm::Arrivals& arrivals,
                              std::int64_t waiting,
                              const std::set<std::chrono::local_days>& closed = {},
                              const std::string& zone = "UTC");

// The same of a push, from its `start` on.
std::optional<TooFew> too_few(const config::Push& push, crm::Arrivals arrivals,
                              std::int64_t waiting, const std::string& zone);

// The same for a list, of which only that nothing comes is told, in two days or more.
std::optional<TooFew> silence(const crm::Arrivals& arrivals);

std::string length_of(int days);  // "24 hours", "2 days"

// "too few come: 3 transactions in the last 24 hours instead of 61; the last one in the hour of
// 2026-11-20T14:00:00Z", and where to look. `thing`: in the singular.
std::string too_few_text(const TooFew& found, const char* thing);

}  // namespace surveybridge::daemon
