#include <algorithm>
#include <cmath>
#include <iostream>
#include <optional>

#include <fmt/format.h>

#include "daemon/commands/command_context.hpp"
#include "daemon/commands/commands.hpp"
#include "daemon/commands/daemon_jobs.hpp"
#include "daemon/commands/interruption.hpp"
#include "daemon/commands/print_json.hpp"
#include "daemon/context/databases.hpp"
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
  return "instance " + instance_name(row);
}

void print_pace(const std::vector<crm::PaceRow>& rows, TimePoint now) {
  for (const auto& row : rows) {
    fmt::print("pace    {:<24} {}, learned {}, {}\n", instance_text(row), rate_text(row),
               ago(row.seen_at, now),
               row.refused_at ? "last 429 " + ago(*row.refused_at, now) : "never a 429");
    if (row.live_until > now && row.held_until && *row.held_until > now) {
      fmt::print("pace    {:<24} every request waits until {}\n", instance_text(row),
                 time_or_dash(row.held_until));
    }
    if (const auto waiting = waiting_text(row, now); !waiting.empty())
      fmt::print("pace    {:<24} waiting for their turn: {}\n", instance_text(row), waiting);
  }
}

void print_verified(const Overview& overview) {
  for (const auto& found : overview.verify_results) {
    fmt::print("verify  {:<24} {}: {} eligible, {} not accounted for, {}{}\n", found.push,
               ago(found.at, overview.now), found.eligible, found.unaccounted,
               found.differences ? counted(*found.differences, "difference")
                                 : "not compared with the service",
               found.besides.empty() ? "" : "; " + one_line(found.besides));
  }
}

Json verified_json(const crm::Verified& found) {
  Json json{{"push", found.push},
            {"at", or_null(found.at)},
            {"eligible", found.eligible},
            {"unaccounted", found.unaccounted}};
  if (found.differences) json["differences"] = *found.differences;
  if (!found.besides.empty()) json["besides"] = found.besides;
  return json;
}

Json pace_json(const crm::PaceRow& row, TimePoint now) {
  Json json{{"instance", row.owner}, {"per_1000_seconds", std::llround(row.all.per_second * 1000)}};
  if (row.read) json["reading_per_1000_seconds"] = std::llround(row.read->per_second * 1000);
  json["lives"] = row.live_until > now ? "yes" : "no";
  json["seen_at"] = or_null(row.seen_at);
  json["last_429"] = or_null(row.refused_at);
  json["waits_until"] = or_null(row.held_until);
  json["waiting"] = waiting_text(row, now);
  return json;
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
  if (const auto need = daemon_here ? std::nullopt : need_of_daemon(report))
    fmt::print("daemon  {}: start it, or type `{}`\n", need->what, with_file(need->command, file));
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
  for (const auto& [list, name, found] : report.silent)
    fmt::print("walk    {:<36} {}\n", list + "." + name, too_few_text(found, "new record"));
  for (const auto& write : overview.writes) {
    fmt::print(
        "write   {:<24} {:>9} rows changed so far; met no row: {}, several: {}, did not fit: {}\n",
        write.list + " > " + write.table, write.written, write.matched_none, write.matched_many,
        write.unfit);
  }
  for (const auto& [list, sort, records, since] : overview.unwritten) {
    fmt::print("write   {:<24} {:>9} {} not in {}.{}, the first one since {}: {}\n", list, records,
               records == 1 ? "record is" : "records are", sort.table, sort.column,
               time_or_dash(since), sort.reason);
  }
  for (const auto& write : overview.waiting_writes) {
    fmt::print("write   {:<24} {:>9} {} for {} row, the first one since {}\n", write.list,
               write.records, write.records == 1 ? "record waits" : "records wait",
               write.records == 1 ? "its" : "their", time_or_dash(write.since));
  }
  for (const auto& queue : overview.write_queue) {
    fmt::print("write   {:<24} {:>9} changes are queued for the CRM, the first one since {}\n",
               queue.list, queue.entries, time_or_dash(queue.oldest));
  }
  for (const auto& [list, name, messages, since, given_up] : report.follow_ups) {
    if (messages > 0)
      fmt::print("follow  {:<24} {:>9} {} to be sent, the first one since {}\n",
                 list + " > " + name, messages, messages == 1 ? "follow-up is" : "follow-ups are",
                 time_or_dash(since));
    if (given_up > 0)
      fmt::print("follow  {:<24} {:>9} {} could not be told of within its time: given up\n",
                 list + " > " + name, given_up, given_up == 1 ? "record" : "records");
  }
  for (const auto& alert : report.alerts) {
    fmt::print("alert   {:<24} {:<12} since {}, {}: {}\n", alert.receiver, word_of(alert.kind),
               time_or_dash(alert.since),
               alert.told_at ? "told " + ago(*alert.told_at, overview.now) : untold_text(alert),
               one_line(alert.what));
  }
  for (const auto& unreadable : overview.unreadable) {
    fmt::print("pull    {:<24} {:<12} {:>9}  records: see survey_unreadable{}\n", unreadable.list,
               "unreadable", unreadable.records, unread_text(unreadable));
  }
  for (const auto& [section, reading] : overview.own_lists)
    fmt::print("list    {:<24} {:<12} {:>9}{}\n", "[" + section + "] query", "addresses",
               reading.addresses,
               reading.unread == 0
                   ? ""
                   : fmt::format("  and {} that cannot be read as addresses, or not whole",
                                 counted(reading.unread, "value")));
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

void print_never_run(const config::Settings& settings, const StatusReport& report) {
  std::cout << "the bridge has not run on this database yet\n";
  print_waiting(report.waiting, report.overview.now, settings.file);
  for (const auto& push : settings.pushes) {
    if (push.brake)
      fmt::print("push    {:<24} the first run will wait for `{}`\n", push.name,
                 with_file("surveybridge release " + push.name, settings.file));
  }
}

Json push_json(const Waiting& push) {
  Json json{{"push", push.push}};
  if (push.uncounted.empty()) {
    json["waiting"] = push.rows;
    json["too_old"] = push.too_old;
  } else {
    json["not_counted"] = push.uncounted;
  }
  if (push.never_listed) json["never_listed"] = *push.never_listed;
  if (push.swept) {
    json["swept"] = {{"began_at", or_null(push.swept->began)},
                     {"ended_at", or_null(push.swept->ended)},
                     {"rows", push.swept->rows}};
    if (push.swept->within) json["swept"]["within_seconds"] = *push.swept->within;
  }
  if (push.too_few)
    json["too_few"] = {{"days", push.too_few->days},
                       {"came", push.too_few->came},
                       {"usual", push.too_few->usual},
                       {"last", or_null(push.too_few->last)},
                       {"look", push.too_few->look.empty() ? Json() : Json(push.too_few->look)}};
  if (push.opens) json["closed_until"] = or_null(*push.opens);
  json["brake"] = push.brake;
  return json;
}

Json walk_json(const crm::StoredWalk& walk) {
  return {{"list", walk.list},
          {"walk", walk.walk},
          {"window_from", or_null(walk.window_from)},
          {"window_to", or_null(walk.window_to)},
          {"watermark", or_null(walk.watermark)},
          {"finished_at", or_null(walk.finished_at)},
          {"pages", walk.pages},
          {"ignored", walk.ignored}};
}

Json write_json(const crm::WriteCount& write) {
  return {{"list", write.list},
          {"table", write.table},
          {"written", write.written},
          {"matched_none", write.matched_none},
          {"matched_many", write.matched_many},
          {"unfit", write.unfit}};
}

Json unwritten_json(const crm::UnwrittenCount& unwritten) {
  const auto& [list, sort, records, since] = unwritten;
  return {{"list", list},          {"table", sort.table}, {"column", sort.column},
          {"reason", sort.reason}, {"records", records},  {"since", or_null(since)}};
}

Json waiting_writes_json(const crm::WaitingWrites& write) {
  return {{"list", write.list}, {"records", write.records}, {"since", or_null(write.since)}};
}

Json queue_json(const crm::WriteBacklog& queue) {
  return {{"list", queue.list}, {"changes", queue.entries}, {"since", or_null(queue.oldest)}};
}

Json unreadable_json(const crm::UnreadableCount& unreadable) {
  return {{"list", unreadable.list},
          {"records", unreadable.records},
          {"unmailed", unreadable.unmailed},
          {"nameless", unreadable.nameless}};
}

Json own_list_json(const crm::ListReadings::value_type& list) {
  return {{"section", list.first},
          {"addresses", list.second.addresses},
          {"unread", list.second.unread}};
}

Json batch_json(const crm::Ledger::Batch& batch, const Overview& overview) {
  Json json{{"id", batch.id},
            {"push", batch.push},
            {"rows", batch.rows},
            {"sent_at", or_null(batch.sent_at)},
            {"outcome", to_string(batch.answer.outcome)}};
  const auto now = overview.states_of_batches.find(batch.id);
  if (now == overview.states_of_batches.end()) return json;
  json["rows_now"] = Json::object();
  for (const auto& [state, rows] : now->second)
    json["rows_now"][to_string(state)] = rows;
  return json;
}

Json lease_json(const crm::Lease& lease) {
  return {{"name", lease.name},
          {"owner", lease.owner},
          {"fence", lease.fence},
          {"expires_at", or_null(lease.expires_at)}};
}

Json locked_json(const crm::LockedPart& locked) {
  return {{"part", locked.part}, {"why", locked.why}};
}

void print_status_json(const StatusReport& report, const std::optional<DaemonState>& daemon) {
  const Overview& overview = report.overview;
  static constexpr const char* kTables[] = {"none", "older", "whole"};
  Json json{{"now", or_null(overview.now)},
            {"tables", kTables[static_cast<std::size_t>(overview.tables)]},
            {"pushes", array_of(report.waiting, push_json)},
            {"ledger", array_of(overview.counts, count_json)},
            {"walks", array_of(overview.walks, walk_json)},
            {"writes", array_of(overview.writes, write_json)},
            {"unwritten", array_of(overview.unwritten, unwritten_json)},
            {"waiting_writes", array_of(overview.waiting_writes, waiting_writes_json)},
            {"write_queue", array_of(overview.write_queue, queue_json)},
            {"unreadable", array_of(overview.unreadable, unreadable_json)}};
  json["own_lists"] = array_of(overview.own_lists, own_list_json);
  json["batches"] =
      array_of(overview.batches, [&](const auto& batch) { return batch_json(batch, overview); });
  json["verified"] = array_of(overview.verify_results, verified_json);
  json["pace"] =
      array_of(overview.paces, [&](const auto& row) { return pace_json(row, overview.now); });
  json["leases"] = array_of(overview.leases, lease_json);
  json["silent"] = array_of(report.silent, [](const SilentWalk& each) {
    return Json{{"list", each.list},
                {"walk", each.walk},
                {"days", each.found.days},
                {"usual", each.found.usual}};
  });
  json["follow_ups"] = array_of(report.follow_ups, [](const WaitingFollowUps& each) {
    return Json{{"list", each.list},
                {"name", each.name},
                {"messages", each.messages},
                {"since", or_null(each.since)},
                {"given_up", each.given_up}};
  });
  json["alerts"] = array_of(report.alerts, [](const LastingAlert& each) {
    return Json{{"receiver", each.receiver},
                {"kind", word_of(each.kind)},
                {"what", each.what},
                {"since", or_null(each.since)},
                {"seen_at", or_null(each.seen_at)},
                {"told_at", or_null(each.told_at)},
                {"late", each.is_late}};
  });
  json["locked"] = array_of(report.locked, locked_json);
  put_jobs(json, daemon, system_now());
  const auto need = daemon ? std::nullopt : need_of_daemon(report);
  json["daemon"]["away"] = need ? Json(need->what) : Json();
  print_json(json);
}

// A daemon goes on with its old configuration while somebody mends the file.
ExitCode status_without_configuration(const Invocation& invocation) {
  const auto daemon = ask_for_jobs(invocation.config);
  if (daemon && !invocation.json) print_jobs(daemon, invocation.config, system_now());
  return kConfiguration;
}

// Does a lock of another session hide a part?
bool is_hidden(const StatusReport& report) {
  return !report.locked.empty() || std::ranges::any_of(report.waiting, &Waiting::locked);
}

// Of what could be read: a person is needed, or some of it could not be read.
ExitCode code_of(const StatusReport& report, const std::optional<DaemonState>& daemon) {
  const DaemonState state = daemon.value_or(DaemonState{});
  if (!needs_of(&report, state.jobs).empty() || !state.stuck.empty()) return kNeedsPerson;
  if (!daemon && need_of_daemon(report)) return kNeedsPerson;
  if (is_hidden(report)) return kUnreachable;
  // Before the first run nothing is wrong yet.
  const bool counted =
      std::ranges::all_of(report.waiting, &std::string::empty, &Waiting::uncounted);
  return counted || report.overview.tables == crm::Tables::none ? kDone : kNeedsPerson;
}

}  // namespace

ExitCode command_status(const Invocation& invocation) {
  const auto command = open_command_context(invocation, nullptr);
  if (!command) return status_without_configuration(invocation);
  const std::string& file = command->settings.file;
  const auto daemon = ask_for_jobs(file);
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
      print_status(status, file, daemon.has_value());
    }
    if (!invocation.json) print_locked(status.locked);
    if (is_hidden(status)) report_lock();
    return code_of(status, daemon);
  } catch (const crm::DatabaseError& error) {
    return report_error(error);
  }
}

}  // namespace surveybridge::daemon
