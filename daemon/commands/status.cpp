#include <algorithm>
#include <iostream>

#include <fmt/format.h>

#include "connectors/crm/brakes.hpp"
#include "connectors/crm/overview.hpp"
#include "connectors/crm/source.hpp"
#include "daemon/commands/commands.hpp"
#include "daemon/commands/json_text.hpp"
#include "daemon/commands/office.hpp"
#include "daemon/dates.hpp"
#include "mapping/dates.hpp"

namespace surveybridge::daemon {

namespace {

using crm::Overview;

// What a push has before it: rows it will take, and rows it never will because they came to light
// when they were older than the look-back window.
struct Waiting {
  std::string push;
  std::int64_t rows = 0, too_old = 0;
  std::string brake;  // why it holds; empty: it does not
};

std::vector<Waiting> waiting(const config::Settings& settings, crm::Database& database,
                             TimePoint now) {
  std::vector<Waiting> all;
  for (const auto& push : settings.pushes) {
    const auto& zone = settings.crm.time_zone;
    crm::Source source(database, {push.name, push.query, push.key, push.when, zone});
    const TimePoint start = instant_of(push.start, zone);
    const TimePoint since = std::max(start, now - push.look_back);
    const auto brake = crm::Brakes(database).load(push.name);
    all.push_back({push.name, source.count(since, now), source.count(start, since),
                   brake ? brake->reason : ""});
  }
  return all;
}

std::string time_text(const std::optional<TimePoint>& at) {
  return at ? mapping::write_instant(std::chrono::floor<std::chrono::seconds>(*at)) : "-";
}

std::string ago(TimePoint at, TimePoint now) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now - at).count();
  if (seconds < 120) return fmt::format("{} s ago", seconds);
  if (seconds < 7200) return fmt::format("{} min ago", seconds / 60);
  return fmt::format("{} h ago", seconds / 3600);
}

void print_text(const Overview& overview, const std::vector<Waiting>& waiting) {
  for (const auto& push : waiting) {
    fmt::print("push    {:<24} {:<12} {:>9}\n", push.push, "waiting", push.rows);
    if (!push.brake.empty()) {
      fmt::print("push    {:<24} {:<12} {}: see `surveybridge release {}`\n", push.push,
                 "brake holds", one_line(push.brake), push.push);
    }
    if (push.too_old == 0) continue;
    fmt::print("push    {:<24} {:<12} {:>9}  seen first when older than look_back: never sent\n",
               push.push, "too old", push.too_old);
  }
  for (const auto& count : overview.counts) {
    fmt::print("ledger  {:<24} {:<12} {:>9}\n", count.push, to_string(count.state), count.rows);
  }
  for (const auto& walk : overview.walks) {
    fmt::print("walk    {:<24} {:<24} {}\n", walk.list + "." + walk.walk,
               walk.window_to ? fmt::format("at page {}", walk.pages) : "between windows",
               walk.finished_at ? "last finished " + ago(*walk.finished_at, overview.now)
                                : "never finished yet");
  }
  for (const auto& batch : overview.batches) {
    fmt::print("batch   {:<24} {:>5} rows  {:<10} {}\n", batch.push, batch.rows,
               batch.answer.outcome.empty() ? "no answer" : batch.answer.outcome,
               ago(batch.sent_at, overview.now));
  }
  for (const auto& lease : overview.leases) {
    fmt::print("lease   {:<42} until {}\n", lease.name, time_text(lease.expires_at));
  }
}

void print_json(const Overview& overview, const std::vector<Waiting>& waiting) {
  JsonText json;
  json.open('{').member("now").text(time_text(overview.now)).member("pushes").open('[');
  for (const auto& push : waiting) {
    json.open('{').member("push").text(push.push).member("waiting").number(push.rows);
    json.member("too_old").number(push.too_old);
    json.member("brake").text(push.brake).close('}');
  }
  json.close(']');
  json.member("ledger").open('[');
  for (const auto& count : overview.counts) {
    json.open('{').member("push").text(count.push).member("state").text(to_string(count.state));
    json.member("rows").number(count.rows).close('}');
  }
  json.close(']').member("walks").open('[');
  for (const auto& walk : overview.walks) {
    json.open('{').member("list").text(walk.list).member("walk").text(walk.walk);
    json.member("window_from").text(time_text(walk.window_from));
    json.member("window_to").text(time_text(walk.window_to));
    json.member("watermark").text(time_text(walk.watermark));
    json.member("finished_at").text(time_text(walk.finished_at));
    json.member("pages").number(walk.pages).close('}');
  }
  json.close(']').member("batches").open('[');
  for (const auto& batch : overview.batches) {
    json.open('{').member("id").text(batch.id).member("push").text(batch.push);
    json.member("rows").number(batch.rows).member("sent_at").text(time_text(batch.sent_at));
    json.member("outcome").text(batch.answer.outcome).close('}');
  }
  json.close(']').member("leases").open('[');
  for (const auto& lease : overview.leases) {
    json.open('{').member("name").text(lease.name).member("owner").text(lease.owner);
    json.member("fence").number(lease.fence);
    json.member("expires_at").text(time_text(lease.expires_at)).close('}');
  }
  std::cout << json.close(']').close('}').take() << "\n";
}

bool wants_person(const Overview& overview) {
  for (const auto& count : overview.counts) {
    const bool wants = count.state == crm::State::quarantined || count.state == crm::State::held ||
                       count.state == crm::State::refused;
    if (wants && count.rows > 0) return true;
  }
  return false;
}

}  // namespace

ExitCode command_status(const Invocation& invocation) {
  const auto office = open_office(invocation, nullptr);
  if (!office) return kConfiguration;
  std::vector<std::string> pushes;
  for (const auto& push : office->settings.pushes)
    pushes.push_back(push.name);
  try {
    const auto database = office->world.open_database();
    const Overview overview = crm::overview(*database, pushes);
    std::vector<Waiting> rows;
    if (overview.tables) rows = waiting(office->settings, *database, overview.now);
    if (invocation.json) {
      print_json(overview, rows);
    } else if (!overview.tables) {
      std::cout << "the bridge has not run on this database yet\n";
    } else {
      print_text(overview, rows);
    }
    const bool wait_for_person = std::any_of(rows.begin(), rows.end(), [](const Waiting& push) {
      return push.too_old > 0 || !push.brake.empty();
    });
    return wants_person(overview) || wait_for_person ? kNeedsPerson : kDone;
  } catch (const crm::DatabaseError& error) {
    complain(std::string("database: ") + error.what());
    return kUnreachable;
  }
}

}  // namespace surveybridge::daemon
