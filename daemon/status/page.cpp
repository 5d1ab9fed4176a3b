#include "daemon/status/page.hpp"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

#include "daemon/job/command_text.hpp"
#include "daemon/job/length_text.hpp"
#include "daemon/status/html.hpp"
#include "daemon/status/ledger_list.hpp"

namespace surveybridge::daemon {

namespace {

struct VerdictText {
  const char* word;
  const char* style;  // its class in the style sheet
};

VerdictText verdict_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::well:
      return {"Well", "well"};
    case Verdict::waits:
      return {"Waits", "waits"};
    case Verdict::needs_person:
      break;
  }
  return {"Needs a person", "act"};
}

// "push.orders, pull.ratings: HTTP 503; write.customers: not connected".
std::string troubles_text(const std::vector<JobState>& jobs,
                          const std::function<bool(const JobState&)>& counts) {
  std::string text;
  for (const auto& trouble : troubles_of(jobs, counts))
    text += (text.empty() ? "" : "; ") + trouble.jobs + ": " + trouble.what;
  return text;
}

// A service that is away ends by itself; whoever reads of other things first must not miss it.
std::string besides(const std::vector<JobState>& jobs) {
  const auto waits = [](const JobState& job) {
    return !job.status.trouble.empty() && !job.status.degraded && !needs_person(job);
  };
  const auto count = std::ranges::count_if(jobs, waits);
  if (count == 0) return "";
  const std::string who = count == 1 ? "one job waits" : fmt::format("{} jobs wait", count);
  return fmt::format(" Besides, {}: {}", who, troubles_text(jobs, waits));
}

std::string sentence_of(const StatusReport* report, const std::vector<JobState>& jobs,
                        const std::vector<Need>& needs, Verdict verdict, DatabaseState database) {
  if (report == nullptr)
    return std::string(state_sentence(database)) + " Only what the daemon has in memory is shown.";
  if (verdict == Verdict::needs_person)
    return (needs.size() == 1
                ? "One thing does not improve by itself."
                : fmt::format("{} things do not improve by themselves.", needs.size())) +
           besides(jobs);
  if (verdict == Verdict::waits) {
    const auto text =
        troubles_text(jobs, [](const JobState& job) { return !job.status.trouble.empty(); });
    if (!text.empty()) return text;
  }
  std::int64_t waiting = 0;
  for (const auto& push : report->waiting) {
    if (!push.uncounted.empty()) return push.push + ": not counted: " + push.uncounted;
    waiting += push.rows;
  }
  return waiting == 0 ? "Everything that is due has been sent and read."
                      : fmt::format("{} to send.", counted(waiting, "transaction"));
}

// The numbers are of the memory of the process.
constexpr const char* kDoneMeaning =
    "<p class=\"note\">Done since start: what the job has sent, read, settled or written since the"
    " daemon started or read its configuration anew; of a list, the records that were new or had"
    " changed.</p>\n";

Cell done_cell(const JobStatus& status) {
  Cell cell(fmt::format("{} {}", status.changed.value_or(status.done), status.unit));
  if (status.changed) cell.note = fmt::format("of {} read", status.done);
  return cell;
}

// A browser may break a line behind each hyphen: not in "--groups", which somebody types anew.
std::string command_html(const std::string& command) {
  std::string html;
  std::istringstream words(command);
  for (std::string word; std::getline(words, word, ' ');) {
    const bool breaks = word.find('-') != std::string::npos;
    if (!html.empty()) html += ' ';
    html += breaks ? "<span>" + escaped(word) + "</span>" : escaped(word);
  }
  return html;
}

std::string needs_html(const std::vector<Need>& needs, const std::string& file) {
  if (needs.empty()) return "";
  std::string html = "<h2>What to do</h2>\n<ol>\n";
  for (const auto& need : needs) {
    const std::string what = prose_html(need.what);
    html += "<li>";
    html += need.list.empty() ? what : fmt::format("<a href=\"{}\">{}</a>", need.list, what);
    if (!need.command.empty())
      html += "<br><code>" + command_html(with_file(need.command, file)) + "</code>";
    html += "</li>\n";
  }
  return html + "</ol>\n";
}

// Does the brake hold what the job would send?
bool is_held(const JobState& job, const StatusReport* report) {
  return report != nullptr && std::ranges::any_of(report->waiting, [&](const Waiting& push) {
           return !push.brake.empty() && job.name == "push." + push.push;
         });
}

std::string state_text(const JobState& job, bool held) {
  const JobStatus& status = job.status;
  if (!status.trouble.empty())
    return (status.degraded ? "works, but: " : "waits: ") + status.trouble;
  if (!job.statement.empty()) return "in a step: " + job.statement;
  return held ? "the brake holds" : "well";
}

std::vector<Cells> ledger_rows(const StatusReport& report, const std::string& file) {
  std::vector<Cells> rows;
  for (const auto& push : report.waiting)
    for (const auto& [what, number, why, command] : lines_of(push, report.overview.now))
      rows.push_back({push.push, what, number,
                      command.empty() ? why : why + ": see " + with_file(command, file)});
  for (const auto& count : report.overview.counts)
    rows.push_back({count.push, Cell{to_string(count.state), list_of(count.state)},
                    std::to_string(count.rows), ""});
  return rows;
}

// What was written into the CRM's tables, and what still will be.
std::vector<Cells> write_back_rows(const StatusReport& report, const std::string& zone) {
  std::vector<Cells> rows;
  for (const auto& write : report.overview.writes) {
    const std::string where = write.list + " > " + write.table;
    rows.push_back({where, "rows changed", std::to_string(write.written), ""});
    for (const auto& [what, number] : {std::pair{"met no row", write.matched_none},
                                       {"met several rows", write.matched_many},
                                       {"did not fit", write.unfit}})
      if (number > 0) rows.push_back({where, what, std::to_string(number), ""});
  }
  for (const auto& write : report.overview.waiting_writes)
    rows.push_back({write.list, "wait for their row", std::to_string(write.records),
                    time_cell(write.since, zone)});
  for (const auto& queue : report.overview.write_queue)
    rows.push_back({queue.list, "queued for the CRM", std::to_string(queue.entries),
                    time_cell(queue.oldest, zone)});
  return rows;
}

std::string tables_of(const StatusReport& report, const DaemonState& daemon) {
  const crm::Overview& overview = report.overview;
  const std::string& zone = daemon.zone;
  const TimePoint now = overview.now;
  auto living = overview.paces;
  std::erase_if(living, [&](const auto& pace) { return pace.live_until <= now; });
  std::string html =
      table("Transactions", {"push", "state", "rows", "why"}, ledger_rows(report, daemon.file));
  html += table("Walks", {"walk", "now", "last finished", "ignored by the service"}, overview.walks,
                [&](const auto& walk) -> Cells {
                  return {walk_text(walk), progress_text(walk), time_cell(walk.finished_at, zone),
                          walk.ignored};
                });
  html += table("Records that cannot be read", {"list", "records", "where"}, overview.unreadable,
                [](const auto& unreadable) -> Cells {
                  return {unreadable.list, std::to_string(unreadable.records),
                          "see survey_unreadable" + unread_text(unreadable)};
                });
  html += table("Write-backs", {"list", "state", "number", "since"}, write_back_rows(report, zone));
  html += table("Not written into the CRM", {"list", "column", "records", "why", "since"},
                overview.unwritten, [&](const auto& unwritten) -> Cells {
                  const auto& [list, sort, records, since] = unwritten;
                  return {list, sort.table + "." + sort.column, std::to_string(records),
                          sort.reason, time_cell(since, zone)};
                });
  html += table("Follow-ups to be sent", {"list", "messages", "since", "records given up"},
                report.follow_ups, [&](const auto& waiting) -> Cells {
                  return {waiting.list + " > " + waiting.name, std::to_string(waiting.messages),
                          time_cell(waiting.since, zone), std::to_string(waiting.given_up)};
                });
  html += table("Alerts", {"receiver", "kind", "what", "since", "last seen", "told"}, report.alerts,
                [&](const LastingAlert& alert) -> Cells {
                  return {alert.receiver,
                          word_of(alert.kind),
                          alert.what,
                          time_cell(alert.since, zone),
                          time_cell(alert.seen_at, zone),
                          alert.told_at ? time_cell(alert.told_at, zone) : untold_text(alert)};
                });
  html += table("Pace", {"instance", "requests", "last 429", "all wait until", "who waits"}, living,
                [&](const auto& pace) -> Cells {
                  const bool held = pace.held_until && *pace.held_until > now;
                  return {instance_name(pace), rate_text(pace), time_cell(pace.refused_at, zone),
                          held ? time_cell(pace.held_until, zone) : "", waiting_text(pace, now)};
                });
  html += table("Last verified",
                {"push", "when", "eligible", "not accounted for", "differences from the service"},
                overview.verify_results, [&](const auto& found) -> Cells {
                  return {found.push, time_cell(found.at, zone), std::to_string(found.eligible),
                          std::to_string(found.unaccounted),
                          found.differences ? std::to_string(*found.differences) : "not compared"};
                });
  return html + table("Last batches", {"push", "rows", "sent", "answer"}, overview.batches,
                      [&](const auto& batch) -> Cells {
                        return {batch.push, std::to_string(batch.rows),
                                time_cell(batch.sent_at, zone), outcome_text(batch, overview)};
                      });
}

// Of both clocks, where the CRM's is another one.
std::string as_of(TimePoint now, const std::string& zone) {
  const Cell at = time_cell(now, zone);
  const std::string of_crm =
      at.note.empty()
          ? ""
          : fmt::format(": in the CRM's zone, {}, {}. The small time below each is the CRM's",
                        escaped(zone), escaped(at.note));
  return fmt::format("<p class=\"note\">As of {}{}.</p>\n", escaped(at.text), of_crm);
}

}  // namespace

const char* state_sentence(DatabaseState state) {
  switch (state) {
    case DatabaseState::refused:
      return "The database answers, and refuses the bridge's login.";
    case DatabaseState::locked:
      return "The database answers, and another session has locked a table that is read here.";
    case DatabaseState::slow:
      return "The database answers, and has not counted yet what is shown here.";
    case DatabaseState::answers:
    case DatabaseState::away:
      break;
  }
  return "The database does not answer.";
}

std::string page_of(const StatusReport* report, const DaemonState& daemon, DatabaseState database) {
  const auto& jobs = daemon.jobs;
  auto needs = needs_of(report, jobs);
  if (daemon.refused)
    needs.push_back(
        {"The last reload refused the configuration file: the one before is in force, "
         "and a restart would fail",
         "surveybridge check"});
  const bool counted =
      report != nullptr &&
      std::ranges::all_of(report->waiting, &std::string::empty, &Waiting::uncounted);
  const Verdict verdict = verdict_of(needs, jobs, counted);
  const auto [word, style] = verdict_text(verdict);
  std::string html =
      fmt::format("<p class=\"verdict {}\" role=\"status\"><b>{}.</b> {}</p>\n", style, word,
                  prose_html(sentence_of(report, jobs, needs, verdict, database)));
  if (report != nullptr) html += as_of(report->overview.now, daemon.zone);
  if (!daemon.report.empty())
    html += fmt::format(
        "<nav aria-label=\"Pages\"><ul><li><a href=\"{}\">Survey report</a></li></ul></nav>\n",
        escaped(daemon.report));
  html += needs_html(needs, daemon.file);
  html += table("Jobs", {"job", "state", "for", "next step", "done since start"}, jobs,
                [&](const JobState& job) -> Cells {
                  return {job.name, state_text(job, is_held(job, report)),
                          job.trouble_for ? length_text(*job.trouble_for) : "",
                          job.next_in ? "in " + length_text(*job.next_in) : "now",
                          done_cell(job.status)};
                });
  if (!jobs.empty()) html += kDoneMeaning;
  if (report != nullptr) html += tables_of(*report, daemon);
  html += fmt::format("<footer>surveybridge {}, up {}</footer>\n", escaped(daemon.version),
                      length_text(daemon.uptime));
  return html_page(word, daemon.host, html, true);
}

}  // namespace surveybridge::daemon
