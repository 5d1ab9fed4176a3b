#include <algorithm>
#include <cmath>
#include <iostream>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "daemon/commands/command_context.hpp"
#include "daemon/commands/commands.hpp"
#include "daemon/commands/daemon_jobs.hpp"
#include "daemon/commands/interruption.hpp"
#include "daemon/context/databases.hpp"
#include "daemon/job/json_text.hpp"
#include "daemon/job/length_text.hpp"
#include "daemon/reconcile/as_sent.hpp"
#include "daemon/runtime/real_environment.hpp"
#include "daemon/status/needs.hpp"

namespace surveybridge::daemon {

namespace {

using crm::Overview;

std::string time_or_dash(const std::optional<TimePoint>& at) {
  return at ? second_text(*at) : "-";
}

std::string ago(TimePoint at, TimePoint now) {
  return length_text(now - at) + " ago";
}

std::string instance_text(const crm::PaceRow& row) {
  return "instance " + row.owner.substr(0, 12);
}

void print_pace(const std::vector<crm::PaceRow>& rows, TimePoint now) {
  for (const auto& row : rows) {
    const bool lives = row.live_until > now;
    if (!lives && &row != &rows.front()) continue;
    fmt::print("pace    {:<24} {}, learned {}, {}\n", instance_text(row), rate_text(row),
               ago(row.seen_at, now),
               row.refused_at ? "last 429 " + ago(*row.refused_at, now) : "never a 429");
    if (lives && row.held_until && *row.held_until > now) {
      fmt::print("pace    {:<24} every request waits until {}\n", instance_text(row),
                 time_or_dash(row.held_until));
    }
    if (const auto waiting = waiting_text(row, now); !waiting.empty())
      fmt::print("pace    {:<24} waiting for their turn: {}\n", instance_text(row), waiting);
  }
}

void print_verified(const Overview& overview) {
  for (const auto& found : overview.verify_results) {
    fmt::print("verify  {:<24} {}: {} eligible, {} not accounted for, {}\n", found.push,
               ago(found.at, overview.now), found.eligible, found.unaccounted,
               found.differences ? counted(*found.differences, "difference")
                                 : "not compared with the service");
  }
}

void put_verified(JsonText& json, const Overview& overview) {
  json.member("verified").open('[');
  for (const auto& found : overview.verify_results) {
    json.open('{').member("push").text(found.push).member("at").text(time_or_dash(found.at));
    json.member("eligible").number(found.eligible);
    json.member("unaccounted").number(found.unaccounted);
    if (found.differences) json.member("differences").number(*found.differences);
    json.close('}');
  }
  json.close(']');
}

void put_pace(JsonText& json, const std::vector<crm::PaceRow>& rows, TimePoint now) {
  json.member("pace").open('[');
  for (const auto& row : rows) {
    json.open('{').member("instance").text(row.owner);
    json.member("per_1000_seconds").number(std::llround(row.all.per_second * 1000));
    if (row.read) {
      json.member("reading_per_1000_seconds").number(std::llround(row.read->per_second * 1000));
    }
    json.member("lives").text(row.live_until > now ? "yes" : "no");
    json.member("seen_at").text(time_or_dash(row.seen_at));
    json.member("last_429").text(time_or_dash(row.refused_at));
    json.member("waits_until").text(time_or_dash(row.held_until));
    json.member("waiting").text(waiting_text(row, now)).close('}');
  }
  json.close(']');
}

void print_waiting(const std::vector<Waiting>& waiting, TimePoint now, const std::string& file) {
  for (const auto& push : waiting) {
    for (const auto& [what, rows, why, command] : lines_of(push, now)) {
      const std::string see = command.empty() ? "" : ": see `" + with_file(command, file) + "`";
      fmt::print("push    {:<24} {:<12} {:>9}{}{}{}\n", push.push, what, rows,
                 why.empty() ? "" : "  ", one_line(why), see);
    }
  }
}

// Of the states that rows leave again: why they wait, or what to type.
std::string meaning_of(const crm::Ledger::Count& count, const StatusReport& report, bool at_work,
                       const std::string& file) {
  const auto see = [&](const char* command) { return "  see `" + with_file(command, file) + "`"; };
  const bool is_configured =
      std::ranges::find(report.waiting, count.push, &Waiting::push) != report.waiting.end();
  const auto& nobodys = report.of_nobody;
  const bool is_of_nobody = std::ranges::find(nobodys, count.push) != nobodys.end();
  const std::string not_configured(kNotConfigured);
  const std::string sync = "surveybridge sync" + (is_configured ? " push." + count.push : "");
  const std::string later = is_of_nobody ? not_configured + "nothing looks them up"
                                         : "looked up at the service when a daemon runs, or by `" +
                                               with_file(sync, file) + "`";
  switch (count.state) {
    case crm::State::pending:
      if (!is_configured) return "  " + not_configured + "nothing sends them";
      return "  wait for their time, for the service, or for another transaction of the same "
             "person";
    case crm::State::claimed:
      return at_work ? "  on their way" : "  left by a daemon that has ended: " + later;
    case crm::State::in_doubt:
      if (is_of_nobody) return "  " + later + ":" + see("surveybridge doubt list");
      return "  " + (at_work ? "looked up at the service" : later);
    case crm::State::held:
      return see("surveybridge doubt list");
    case crm::State::quarantined:
      return see("surveybridge quarantine list --groups");
    default:
      return "";
  }
}

// `daemon_here`: one runs with this file, though it may not have claimed anything for a while.
void print_status(const StatusReport& report, const std::string& file, bool daemon_here) {
  const Overview& overview = report.overview;
  if (overview.tables == crm::Tables::older) {
    fmt::print(
        "tables  of an earlier version, and this account may not add what is missing:"
        " see `surveybridge schema`\n");
  }
  print_waiting(report.waiting, overview.now, file);
  for (const auto& count : overview.counts) {
    fmt::print("ledger  {:<24} {:<12} {:>9}{}\n", count.push, to_string(count.state), count.rows,
               meaning_of(count, report, daemon_here || is_at_work(overview), file));
  }
  for (const auto& walk : overview.walks) {
    fmt::print("walk    {:<36} {:<16} {}\n", walk_text(walk), progress_text(walk),
               walk.finished_at ? "last finished " + ago(*walk.finished_at, overview.now)
                                : "never finished yet");
    if (walk.ignored.empty()) continue;
    fmt::print("walk    {:<36} the service ignores {}: what lies outside is not stored\n",
               walk_text(walk), walk.ignored);
  }
  for (const auto& write : overview.writes) {
    fmt::print("write   {:<24} {:>9} rows changed; met no row: {}, several: {}, did not fit: {}\n",
               write.list + " > " + write.table, write.written, write.matched_none,
               write.matched_many, write.unfit);
  }
  for (const auto& [list, sort, records, since] : overview.unwritten) {
    fmt::print("write   {:<24} {:>9} {} not in {}.{}, the first one since {}: {}\n", list, records,
               records == 1 ? "record is" : "records are", sort.table, sort.column,
               time_or_dash(since), sort.reason);
  }
  for (const auto& write : overview.waiting_writes) {
    fmt::print("write   {:<24} {:>9} records wait for their row, the first one since {}\n",
               write.list, write.records, time_or_dash(write.since));
  }
  for (const auto& queue : overview.write_queue) {
    fmt::print("write   {:<24} {:>9} changes are queued for the CRM, the first one since {}\n",
               queue.list, queue.entries, time_or_dash(queue.oldest));
  }
  for (const auto& unreadable : overview.unreadable) {
    fmt::print("pull    {:<24} {:<12} {:>9}  records: see survey_unreadable{}\n", unreadable.list,
               "unreadable", unreadable.records, unread_text(unreadable));
  }
  if (overview.own_list)
    fmt::print("list    {:<24} {:<12} {:>9}{}\n", "[suppress] query", "addresses",
               overview.own_list->addresses,
               overview.own_list->unread == 0
                   ? ""
                   : fmt::format("  and {} that cannot be read as addresses, or not whole",
                                 counted(overview.own_list->unread, "value")));
  for (const auto& batch : overview.batches) {
    fmt::print("batch   {:<24} {:>5} rows  {:<10} {}\n", batch.push, batch.rows,
               outcome_text(batch, overview), ago(batch.sent_at, overview.now));
  }
  print_verified(overview);
  print_pace(overview.paces, overview.now);
  for (const auto& lease : overview.leases) {
    fmt::print("lease   {:<42} until {}\n", lease.name, time_or_dash(lease.expires_at));
  }
}

void print_locked(const std::vector<crm::LockedPart>& locked) {
  for (const auto& [part, why] : locked)
    fmt::print("locked  {}: {}\n", part, one_line(why));
}

void put_locked(JsonText& json, const std::vector<crm::LockedPart>& locked) {
  json.member("locked").open('[');
  for (const auto& [part, why] : locked)
    json.open('{').member("part").text(part).member("why").text(why).close('}');
  json.close(']');
}

void print_never_run(const config::Settings& settings, const StatusReport& report) {
  std::cout << "the bridge has not run on this database yet\n";
  print_waiting(report.waiting, report.overview.now, settings.file);
  for (const auto& push : settings.pushes) {
    if (push.brake)
      fmt::print("push    {:<24} the first run will wait for `{}`\n", push.name,
                 with_file("surveybridge release " + push.name, settings.file));
  }
}

void put_waiting(JsonText& json, const std::vector<Waiting>& waiting) {
  json.member("pushes").open('[');
  for (const auto& push : waiting) {
    json.open('{').member("push").text(push.push);
    if (push.uncounted.empty()) {
      json.member("waiting").number(push.rows).member("too_old").number(push.too_old);
    } else {
      json.member("not_counted").text(push.uncounted);
    }
    if (push.never_listed) json.member("never_listed").number(*push.never_listed);
    if (push.swept) {
      json.member("swept").open('{').member("began_at").text(time_or_dash(push.swept->began));
      json.member("ended_at").text(time_or_dash(push.swept->ended));
      json.member("rows").number(push.swept->rows);
      if (push.swept->within) json.member("within_seconds").number(*push.swept->within);
      json.close('}');
    }
    json.member("brake").text(push.brake).close('}');
  }
  json.close(']');
}

void put_writes(JsonText& json, const Overview& overview) {
  json.member("writes").open('[');
  for (const auto& write : overview.writes) {
    json.open('{').member("list").text(write.list).member("table").text(write.table);
    json.member("written").number(write.written).member("matched_none").number(write.matched_none);
    json.member("matched_many").number(write.matched_many);
    json.member("unfit").number(write.unfit).close('}');
  }
  json.close(']').member("unwritten").open('[');
  for (const auto& [list, sort, records, since] : overview.unwritten) {
    json.open('{').member("list").text(list).member("table").text(sort.table);
    json.member("column").text(sort.column).member("reason").text(sort.reason);
    json.member("records").number(records).member("since").text(time_or_dash(since)).close('}');
  }
  json.close(']').member("waiting_writes").open('[');
  for (const auto& write : overview.waiting_writes) {
    json.open('{').member("list").text(write.list).member("records").number(write.records);
    json.member("since").text(time_or_dash(write.since)).close('}');
  }
  json.close(']').member("write_queue").open('[');
  for (const auto& queue : overview.write_queue) {
    json.open('{').member("list").text(queue.list).member("changes").number(queue.entries);
    json.member("since").text(time_or_dash(queue.oldest)).close('}');
  }
  json.close(']');
}

void put_batches(JsonText& json, const Overview& overview) {
  json.member("batches").open('[');
  for (const auto& batch : overview.batches) {
    json.open('{').member("id").text(batch.id).member("push").text(batch.push);
    json.member("rows").number(batch.rows).member("sent_at").text(time_or_dash(batch.sent_at));
    json.member("outcome").text(to_string(batch.answer.outcome));
    if (const auto now = overview.states_of_batches.find(batch.id);
        now != overview.states_of_batches.end()) {
      json.member("rows_now").open('{');
      for (const auto& [state, rows] : now->second)
        json.member(to_string(state)).number(rows);
      json.close('}');
    }
    json.close('}');
  }
  json.close(']');
}

void print_status_json(const StatusReport& report, const DaemonJobs& daemon) {
  const Overview& overview = report.overview;
  JsonText json;
  static constexpr const char* kTables[] = {"none", "older", "whole"};
  json.open('{').member("now").text(time_or_dash(overview.now));
  json.member("tables").text(kTables[static_cast<std::size_t>(overview.tables)]);
  put_waiting(json, report.waiting);
  json.member("ledger").open('[');
  for (const auto& count : overview.counts) {
    json.open('{').member("push").text(count.push).member("state").text(to_string(count.state));
    json.member("rows").number(count.rows).close('}');
  }
  json.close(']').member("walks").open('[');
  for (const auto& walk : overview.walks) {
    json.open('{').member("list").text(walk.list).member("walk").text(walk.walk);
    json.member("window_from").text(time_or_dash(walk.window_from));
    json.member("window_to").text(time_or_dash(walk.window_to));
    json.member("watermark").text(time_or_dash(walk.watermark));
    json.member("finished_at").text(time_or_dash(walk.finished_at));
    json.member("pages").number(walk.pages);
    json.member("ignored").text(walk.ignored).close('}');
  }
  json.close(']');
  put_writes(json, overview);
  json.member("unreadable").open('[');
  for (const auto& unreadable : overview.unreadable) {
    json.open('{').member("list").text(unreadable.list);
    json.member("records").number(unreadable.records);
    json.member("unmailed").number(unreadable.unmailed);
    json.member("nameless").number(unreadable.nameless).close('}');
  }
  json.close(']');
  if (overview.own_list) {
    json.member("own_list").open('{').member("addresses").number(overview.own_list->addresses);
    json.member("unread").number(overview.own_list->unread).close('}');
  }
  put_batches(json, overview);
  put_verified(json, overview);
  put_pace(json, overview.paces, overview.now);
  json.member("leases").open('[');
  for (const auto& lease : overview.leases) {
    json.open('{').member("name").text(lease.name).member("owner").text(lease.owner);
    json.member("fence").number(lease.fence);
    json.member("expires_at").text(time_or_dash(lease.expires_at)).close('}');
  }
  json.close(']');
  put_locked(json, report.locked);
  put_jobs(json, daemon, system_now());
  std::cout << json.close('}').take() << "\n";
}

// A daemon goes on with its old configuration while somebody mends the file.
ExitCode status_without_configuration(const Invocation& invocation) {
  const DaemonJobs daemon = ask_for_jobs(invocation.config);
  if (daemon.runs && !invocation.json) print_jobs(daemon, invocation.config, system_now());
  return kConfiguration;
}

// Does a lock of another session hide a part?
bool is_hidden(const StatusReport& report) {
  return !report.locked.empty() || std::ranges::any_of(report.waiting, &Waiting::locked);
}

// Of what could be read: a person is needed, or some of it could not be read.
ExitCode code_of(const StatusReport& report, const DaemonJobs& daemon) {
  if (!needs_of(&report, daemon.jobs).empty() || !daemon.stuck.empty()) return kNeedsPerson;
  return is_hidden(report) ? kUnreachable : kDone;
}

}  // namespace

ExitCode command_status(const Invocation& invocation) {
  const auto command = open_command_context(invocation, nullptr);
  if (!command) return status_without_configuration(invocation);
  const std::string& file = command->settings.file;
  const DaemonJobs daemon = ask_for_jobs(file);
  if (!invocation.json) {
    print_jobs(daemon, file, system_now());
    std::cout.flush();  // the database may keep the rest waiting
  }
  try {
    std::optional<LongWait> long_wait(std::in_place);
    Databases databases(command->looking);
    const StatusReport status =
        report(command->settings, databases.store(), databases.crm(), OnLock::hide_part);
    long_wait.reset();
    if (invocation.json) {
      print_status_json(status, daemon);
    } else if (status.overview.tables == crm::Tables::none) {
      print_never_run(command->settings, status);
    } else {
      print_status(status, file, daemon.runs);
    }
    if (!invocation.json) print_locked(status.locked);
    if (is_hidden(status)) report_lock();
    return code_of(status, daemon);
  } catch (const crm::DatabaseError& error) {
    return report_error(error);
  }
}

}  // namespace surveybridge::daemon
