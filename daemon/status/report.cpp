#include "daemon/status/report.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "config/service_list.hpp"
#include "connectors/crm/daemon_state/brakes.hpp"
#include "connectors/crm/daemon_state/few_store.hpp"
#include "connectors/crm/pulled/arrivals.hpp"
#include "connectors/crm/pulled/follow_up_store.hpp"
#include "connectors/crm/source/source.hpp"
#include "daemon/context/push_window.hpp"
#include "daemon/job/length_text.hpp"
#include "daemon/lists/pull_filters.hpp"
#include "daemon/pull/pace_job.hpp"
#include "daemon/push/never_listed.hpp"
#include "daemon/push/push_plan.hpp"
#include "daemon/reconcile/as_sent.hpp"
#include "daemon/suppress/brake_rule.hpp"
#include "mapping/field_map/constant.hpp"

namespace surveybridge::daemon {

namespace {

// Why nothing of a push goes out; empty: it goes. A first run waits before it has begun, too.
std::string brake_of(const config::Push& push, const std::optional<crm::BrakeState>& state,
                     crm::Tables tables, std::int64_t rows) {
  if (state) return state->reason;
  const bool known = tables == crm::Tables::whole;  // that there is no state
  return known && push.brake && rows > 0
             ? "no row is confirmed as sent yet, and the first run waits"
             : "";
}

// A lock on a table of the query, or a query that fails, hides only what it says.
void count(const std::function<std::int64_t(TimePoint since, TimePoint until)>& rows,
           TimePoint start, TimePoint since, TimePoint now, Waiting& push) {
  try {
    push.rows = rows(since, now);
    push.too_old = rows(start, since);
  } catch (const crm::DatabaseError& error) {
    const bool locked = error.kind == crm::DatabaseError::Kind::busy;
    if (!locked && error.kind != crm::DatabaseError::Kind::other) throw;
    push.rows = push.too_old = 0;
    push.locked = locked;
    push.uncounted = error.what();
  }
}

// What was found longer ago was by a daemon that has ended.
constexpr Duration kLookKept = std::chrono::hours{24};

std::vector<Waiting> waiting(const config::Settings& settings, crm::Database& database,
                             crm::Database& crm, const crm::Overview& overview,
                             const crm::PartReader& parts) {
  const TimePoint now = &crm == &database ? overview.now : crm.now();
  const bool has_run = overview.tables != crm::Tables::none;
  const auto swept = has_run ? parts.read("sweeps", [&] { return crm::sweeps(database); })
                             : std::vector<crm::Swept>{};
  std::vector<Waiting> all;
  for (const auto& push : settings.pushes) {
    const auto& zone = settings.crm.time_zone;
    const auto query = crm::source_query(push, zone);
    crm::Source source(crm, database, query);
    const TimePoint start = mapping::instant_of(push.start, zone);
    const auto last = std::ranges::find(swept, push.name, &crm::Swept::push);
    const auto last_sweep = last == swept.end() ? std::nullopt : std::optional(last->began);
    const TimePoint since = found_since(push, zone, last_sweep, now);
    Waiting found;
    found.push = push.name;
    const auto rows = [&](TimePoint from, TimePoint to) {
      if (from >= to) return std::int64_t{0};
      return has_run ? source.count(from, to) : crm::count_all(crm, query, from, to);
    };
    if (const auto locked = std::ranges::find(all, true, &Waiting::locked); locked != all.end()) {
      found.locked = true;  // the others wait for the same lock, or one beside it
      found.uncounted = locked->uncounted;
    } else {
      count(rows, start, since, now, found);
    }
    if (!has_run) {
      all.push_back(std::move(found));
      continue;
    }
    const auto brake = parts.read("brakes", [&] { return crm::Brakes(database).load(push.name); });
    found.brake = brake_of(push, brake, overview.tables, found.rows);
    found.never_listed = parts.read("transactions that the service never listed",
                                    [&] { return known_never_listed(settings, push, database); });
    found.too_few = parts.read("what comes in each hour", [&] {
      if (!found.uncounted.empty()) return std::optional<TooFew>{};
      return too_few(push, crm::arrivals(database, "push." + push.name), found.rows, zone);
    });
    if (found.too_few) {
      const auto seen = parts.read("where to look when few rows come",
                                   [&] { return crm::few_of(database, push.name); });
      if (seen.looked_at && overview.now - *seen.looked_at < kLookKept)
        found.too_few->look = seen.look;
    }
    if (last != swept.end() && !last->only_met()) found.swept = *last;
    if (const TimePoint at = opening(push, zone, now); at > now) found.opens = at;
    all.push_back(std::move(found));
  }
  return all;
}

// A walk that the configuration no longer knows has left its cursor behind, and whatever it said.
bool is_configured(const crm::StoredWalk& walk, const config::Settings& settings) {
  for (const auto& pull : settings.pulls) {
    if (pull.name != walk.list) continue;
    const auto plans = plan_walks(pull, settings.service.dialect);
    return std::ranges::find(plans, walk.walk, &WalkPlan::name) != plans.end();
  }
  return config::list_named(walk.list) == nullptr;
}

// Of the instances that have ended only the latest of all is shown.
void drop_former(std::vector<crm::PaceRow>& paces, TimePoint now) {
  const auto* latest = paces.empty() ? nullptr : &paces.front();
  std::erase_if(paces,
                [&](const crm::PaceRow& row) { return &row != latest && row.live_until <= now; });
}

std::vector<WalkInterval> walk_intervals(const config::Settings& settings) {
  std::vector<WalkInterval> all;
  for (const auto& pull : settings.pulls)
    for (const auto& plan : plan_walks(pull, settings.service.dialect))
      all.push_back({pull.name, plan.name, plan.every});
  return all;
}

// Up to the time that each walk was read to its end.
std::vector<SilentWalk> silent_walks(crm::Database& database, const crm::Overview& overview) {
  std::vector<SilentWalk> all;
  for (const auto& walk : overview.walks) {
    const std::string job = "pull." + walk.list + "." + walk.walk;
    if (const auto found = silence(crm::arrivals(database, job, walk.finished_at)))
      all.push_back({walk.list, walk.walk, *found});
  }
  return all;
}

// What a receiver is told of no longer does not wait.
std::vector<WaitingFollowUps> waiting_follow_ups(const config::Settings& settings,
                                                 crm::Database& database, TimePoint now) {
  std::vector<WaitingFollowUps> all;
  crm::FollowUpStore store(database);
  for (const auto& pull : settings.pulls) {
    for (const auto& follow_up : pull.follow_ups) {
      const TimePoint from = now - follow_up.within;
      WaitingFollowUps found{pull.name, follow_up.name};
      for (const auto& receiver : follow_up.to) {
        const auto backlog = store.backlog(pull.name, follow_up.name, receiver, from);
        if (!backlog) continue;
        found.messages += backlog->messages;
        found.since = std::min<TimePoint>(found.since.value_or(now), backlog->oldest);
      }
      found.given_up = store.untold(pull.name, follow_up.name, follow_up.to, TimePoint{}, from);
      if (found.messages > 0 || found.given_up > 0) all.push_back(std::move(found));
    }
  }
  return all;
}

std::vector<LastingAlert> alerts_of(const config::Settings& settings, crm::Database& database,
                                    TimePoint now) {
  std::vector<LastingAlert> all;
  for (const auto& receiver : settings.alerts)
    std::ranges::move(lasting_alerts(receiver, crm::AlertStore(database).of(receiver.name), now),
                      std::back_inserter(all));
  return all;
}

}  // namespace

std::vector<PushLine> lines_of(const Waiting& push, TimePoint now) {
  std::vector<PushLine> lines;
  const bool is_counted = push.uncounted.empty();
  lines.push_back({"waiting", is_counted ? std::to_string(push.rows) : "?",
                   is_counted ? "" : "not counted: " + push.uncounted});
  if (push.swept) {
    const auto& within = push.swept->within;
    lines.push_back(
        {"swept", std::to_string(push.swept->rows),
         fmt::format("rows that the query finds in its whole window, {} ago; each poll reads the "
                     "recent part{}",
                     length_text(now - push.swept->ended),
                     within ? fmt::format("; a late row is found within {} s", *within) : "")});
  }
  if (push.opens)
    lines.push_back(
        {"closed until", "", second_text(*push.opens) + " (send_window, send_days and closed)"});
  if (!push.brake.empty())
    lines.push_back({"brake holds", "", push.brake, "surveybridge release " + push.push});
  if (push.never_listed.value_or(0) > 0)
    lines.push_back({"never listed", std::to_string(*push.never_listed),
                     "sent, and the service does not list them", "surveybridge verify"});
  if (push.too_few)
    lines.push_back({"too few", std::to_string(push.too_few->came),
                     too_few_text(*push.too_few, "transaction"), "surveybridge check"});
  if (push.too_old > 0)
    lines.push_back({"too old", std::to_string(push.too_old),
                     "seen first when older than look_back: never sent"});
  return lines;
}

std::string walk_text(const crm::StoredWalk& walk) {
  if (walk.list == crm::kRestoreCheckList) return walk.list + " (" + walk.walk + ")";
  return walk.walk == crm::kWholeListWalk ? walk.list : walk.list + "." + walk.walk;
}

std::string unread_text(const crm::UnreadableCount& unreadable) {
  std::string text;
  if (unreadable.unmailed > 0)
    text += "; the persons of " + std::to_string(unreadable.unmailed) +
            " of them are not mailed until they can be read";
  if (unreadable.nameless > 0)
    text += "; " + std::to_string(unreadable.nameless) +
            " of them may say whom not to mail, and whose they are cannot be read";
  return text;
}

std::string unread_text(const std::string& section, const crm::ListReading& reading) {
  if (reading.unread == 0) return "";
  return "[" + section + "] query: " + counted(reading.unread, "value") +
         " cannot be read as addresses, or not whole: whom they mean is mailed";
}

std::string instance_name(const crm::PaceRow& pace) {
  constexpr std::size_t kEnough = 12;  // to tell instances apart
  return pace.owner.substr(0, kEnough);
}

std::string rate_text(const crm::PaceRow& pace) {
  const auto reading = pace.read ? std::optional(pace.read->per_second) : std::nullopt;
  return rate_text(pace.all.per_second, reading, "a second");
}

std::string progress_text(const crm::StoredWalk& walk) {
  return walk.window_to ? fmt::format("at page {}", walk.pages) : "between windows";
}

// While a long wait lasts the instance writes what changes; short ones are over when it is read.
std::string waiting_text(const crm::PaceRow& pace, TimePoint now) {
  constexpr Duration kFresh = std::chrono::seconds{5};
  const bool lasts = pace.held_until && *pace.held_until > now;
  const bool known = pace.live_until > now && (lasts || now - pace.seen_at <= kFresh);
  return known ? pace.waiting : "";
}

namespace {

// ", now 98 sent, 2 held"; empty: not known.
std::string now_text(const crm::Ledger::Batch& batch, const crm::Overview& overview) {
  const auto known = overview.states_of_batches.find(batch.id);
  if (known == overview.states_of_batches.end()) return "";
  std::vector<std::string> parts;
  std::int64_t elsewhere = batch.rows;
  for (const auto& [state, rows] : known->second) {
    parts.push_back(fmt::format("{} {}", rows, to_string(state)));
    elsewhere -= rows;
  }
  if (elsewhere > 0) parts.push_back(fmt::format("{} in a later batch", elsewhere));
  return parts.empty() ? "" : fmt::format(", now {}", fmt::join(parts, ", "));
}

}  // namespace

bool is_at_work(const crm::Overview& overview) {
  return std::ranges::any_of(
      overview.leases, [](const crm::Lease& lease) { return lease.name.starts_with("instance:"); });
}

std::string outcome_text(const crm::Ledger::Batch& batch, const crm::Overview& overview) {
  if (batch.answer.outcome == crm::Outcome::unknown)
    return to_string(batch.answer.outcome) + now_text(batch, overview);
  if (batch.answer.outcome != crm::Outcome::none) return to_string(batch.answer.outcome);
  if (overview.tables != crm::Tables::whole) return "no answer yet";  // the leases are not known
  const auto holder =
      std::ranges::find(overview.leases, "instance:" + batch.owner, &crm::Lease::name);
  return holder == overview.leases.end() ? "no answer came" + now_text(batch, overview)
                                         : "no answer yet";
}

StatusReport report(const config::Settings& settings, crm::Database& database, crm::Database& crm,
                    OnLock lock) {
  const auto pushes = names_of(settings.pushes);
  std::vector<crm::LockedPart> hidden;
  std::vector<crm::LockedPart>* const locked = lock == OnLock::hide_part ? &hidden : nullptr;
  StatusReport report{crm::overview(database, pushes, pace_key(settings), locked), {}};
  std::erase_if(report.overview.walks,
                [&](const crm::StoredWalk& walk) { return !is_configured(walk, settings); });
  std::erase_if(report.overview.verify_results, [&](const crm::Verified& found) {
    return std::ranges::find(pushes, found.push) == pushes.end();
  });
  std::erase_if(report.overview.own_lists, [&](const auto& reading) {
    const auto is_it = [&](const auto& list) { return list.section() == reading.first; };
    return !settings.suppress || std::ranges::none_of(settings.suppress->lists, is_it);
  });
  drop_former(report.overview.paces, report.overview.now);
  report.walks = walk_intervals(settings);
  const crm::PartReader parts(report.overview.tables, locked);
  report.waiting = waiting(settings, database, crm, report.overview, parts);
  if (report.overview.tables != crm::Tables::none) {
    report.silent = parts.read("what lists bring in each hour",
                               [&] { return silent_walks(database, report.overview); });
    report.of_nobody = parts.read("pushes that are not configured",
                                  [&] { return names_of_nobody(settings, database); });
    report.follow_ups = parts.read("follow-ups that wait", [&] {
      return waiting_follow_ups(settings, database, report.overview.now);
    });
    report.alerts =
        parts.read("alerts", [&] { return alerts_of(settings, database, report.overview.now); });
  }
  report.locked = std::move(hidden);
  return report;
}

}  // namespace surveybridge::daemon
