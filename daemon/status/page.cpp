#include "daemon/status/page.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "mapping/values/dates.hpp"

namespace surveybridge::daemon {

namespace {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return out;
}

std::string time_text(const std::optional<TimePoint>& at) {
  return at ? mapping::write_instant(std::chrono::floor<std::chrono::seconds>(*at)) : "never";
}

using Cells = std::vector<std::string>;

// On a narrow screen each row becomes a block, and each cell has the name of its column before it.
std::string table(const char* title, const Cells& head, const std::vector<Cells>& rows) {
  if (rows.empty()) return "";
  std::string html = fmt::format("<table>\n<caption>{}</caption>\n<thead><tr>", title);
  for (const auto& cell : head)
    html += fmt::format("<th scope=\"col\">{}</th>", cell);
  html += "</tr></thead>\n<tbody>\n";
  for (const auto& row : rows) {
    html += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i)
      html += fmt::format("<td data-name=\"{}\">{}</td>", head.at(i), escaped(row[i]));
    html += "</tr>\n";
  }
  return html + "</tbody></table>\n";
}

// Colours for light and dark screens; every meaning is also said in words.
constexpr const char* kStyle = R"(
:root{color-scheme:light dark;--line:#c8c8c8;--soft:#595959;--good:#0a6b2d;--wait:#7a4b00;--act:#b3141b}
@media(prefers-color-scheme:dark){:root{--line:#4a4a4a;--soft:#b0b0b0;--good:#6fd88f;--wait:#f0b94a;--act:#ff8a8a}}
body{font:16px/1.5 system-ui,sans-serif;margin:1.5em auto;max-width:64em;padding:0 1em}
h1{font-size:1.1em;margin:0;color:var(--soft);font-weight:600}
.verdict{font-size:1.35em;margin:.2em 0 1em;padding-left:.6em;border-left:.3em solid}
.verdict b{text-transform:uppercase;letter-spacing:.03em}
.well{border-color:var(--good)}.well b{color:var(--good)}
.waits{border-color:var(--wait)}.waits b{color:var(--wait)}
.act{border-color:var(--act)}.act b{color:var(--act)}
ol{padding-left:1.4em}li{margin:.4em 0}
code{font:0.95em ui-monospace,monospace;padding:.1em .3em;border:1px solid var(--line);border-radius:3px;overflow-wrap:anywhere}
table{border-collapse:collapse;width:100%;margin:1.5em 0}
caption{text-align:left;font-weight:600;font-size:1.1em;padding:.3em 0}
td,th{text-align:left;vertical-align:top;padding:.25em 1em .25em 0;border-bottom:1px solid var(--line);overflow-wrap:break-word}
td[data-name=for],td[data-name="next step"]{white-space:nowrap}
th{color:var(--soft);font-weight:600}
footer{color:var(--soft);margin:2em 0}
@media(max-width:40em){thead{position:absolute;left:-9999px}tr{display:block;padding:.4em 0;border-bottom:1px solid var(--line)}
td{display:flex;gap:.8em;border:0;padding:.1em 0;overflow-wrap:anywhere}td:empty{display:none}
td::before{content:attr(data-name);color:var(--soft);flex:0 0 7.5em}}
)";

struct VerdictText {
  const char* word;
  const char* style;  // its class in kStyle
};

VerdictText text_of(Verdict verdict) {
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

// "3 min", "2 h", "5 days"; at least "1 s".
std::string length_text(Duration length) {
  const auto seconds =
      std::max<std::int64_t>(1, std::chrono::ceil<std::chrono::seconds>(length).count());
  if (seconds < 120) return fmt::format("{} s", seconds);
  if (seconds < 7200) return fmt::format("{} min", seconds / 60);
  if (seconds < 172'800) return fmt::format("{} h", seconds / 3600);
  return fmt::format("{} days", seconds / 86'400);
}

std::string sentence_of(const StatusReport* report, const std::vector<JobState>& jobs,
                        const std::vector<Need>& needs, Verdict verdict) {
  if (report == nullptr)
    return "The database does not answer. Only what the daemon has in memory is shown.";
  if (verdict == Verdict::needs_person)
    return needs.size() == 1 ? "One thing does not improve by itself."
                             : fmt::format("{} things do not improve by themselves.", needs.size());
  if (verdict == Verdict::waits) {
    for (const auto& job : jobs)
      if (!job.status.trouble.empty()) return job.name + ": " + job.status.trouble;
  }
  std::int64_t waiting = 0;
  for (const auto& push : report->waiting)
    waiting += push.rows;
  return waiting == 0 ? "Everything that is due has been sent and read."
                      : fmt::format("{} to send.", transactions(waiting));
}

std::string needs_html(const std::vector<Need>& needs) {
  if (needs.empty()) return "";
  std::string html = "<h2>What to do</h2>\n<ol>\n";
  for (const auto& need : needs) {
    html += "<li>" + escaped(need.what);
    if (!need.command.empty()) html += "<br><code>" + escaped(need.command) + "</code>";
    html += "</li>\n";
  }
  return html + "</ol>\n";
}

std::vector<Cells> job_rows(const std::vector<JobState>& jobs) {
  std::vector<Cells> rows;
  for (const auto& [name, status, trouble_for, next_in, stuck] : jobs) {
    const std::string state = status.trouble.empty()
                                  ? "well"
                                  : (status.degraded ? "works, but: " : "waits: ") + status.trouble;
    rows.push_back({name, state, trouble_for ? length_text(*trouble_for) : "",
                    next_in ? "in " + length_text(*next_in) : "now",
                    fmt::format("{} {}", status.done, status.unit)});
  }
  return rows;
}

std::vector<Cells> ledger_rows(const StatusReport& report) {
  std::vector<Cells> rows;
  for (const auto& push : report.waiting) {
    rows.push_back({push.push, "waiting", std::to_string(push.rows), push.brake});
    if (push.too_old > 0)
      rows.push_back({push.push, "too old", std::to_string(push.too_old),
                      "seen first when older than look_back: never sent"});
    if (push.never_listed.value_or(0) > 0)
      rows.push_back({push.push, "never listed", std::to_string(*push.never_listed),
                      "sent, and the service does not list them: see surveybridge verify"});
  }
  for (const auto& count : report.overview.counts)
    rows.push_back({count.push, to_string(count.state), std::to_string(count.rows), ""});
  return rows;
}

std::vector<Cells> walk_rows(const StatusReport& report) {
  std::vector<Cells> rows;
  for (const auto& walk : report.overview.walks) {
    rows.push_back({walk.list + "." + walk.walk,
                    walk.window_to ? fmt::format("at page {}", walk.pages) : "between windows",
                    time_text(walk.finished_at), walk.ignored});
  }
  return rows;
}

std::vector<Cells> unreadable_rows(const StatusReport& report) {
  std::vector<Cells> rows;
  for (const auto& [list, records] : report.overview.unreadable)
    rows.push_back({list, std::to_string(records), "see survey_unreadable"});
  return rows;
}

std::vector<Cells> batch_rows(const StatusReport& report) {
  std::vector<Cells> rows;
  for (const auto& batch : report.overview.batches) {
    rows.push_back({batch.push, std::to_string(batch.rows), time_text(batch.sent_at),
                    batch.answer.outcome == crm::Outcome::none ? "no answer yet"
                                                               : to_string(batch.answer.outcome)});
  }
  return rows;
}

std::vector<Cells> pace_rows(const StatusReport& report) {
  std::vector<Cells> rows;
  const TimePoint now = report.overview.now;
  for (const auto& pace : report.overview.paces) {
    if (pace.live_until <= now) continue;
    const bool held = pace.held_until && *pace.held_until > now;
    rows.push_back({pace.owner, rate_text(pace), time_text(pace.refused_at),
                    held ? time_text(pace.held_until) : "", pace.waiting});
  }
  return rows;
}

std::vector<Cells> verify_rows(const StatusReport& report) {
  std::vector<Cells> rows;
  for (const auto& found : report.overview.verify_results) {
    rows.push_back({found.push, time_text(found.at), std::to_string(found.eligible),
                    std::to_string(found.unaccounted),
                    found.differences ? std::to_string(*found.differences) : "not compared"});
  }
  return rows;
}

std::string tables_of(const StatusReport& report) {
  return table("Transactions", {"push", "state", "rows", "why"}, ledger_rows(report)) +
         table("Walks", {"walk", "now", "last finished", "ignored by the service"},
               walk_rows(report)) +
         table("Records that cannot be read", {"list", "records", "where"},
               unreadable_rows(report)) +
         table("Pace", {"instance", "requests", "last 429", "all wait until", "who waits"},
               pace_rows(report)) +
         table("Last verified",
               {"push", "when", "eligible", "not accounted for", "differences from the service"},
               verify_rows(report)) +
         table("Last batches", {"push", "rows", "sent", "answer"}, batch_rows(report));
}

}  // namespace

std::string page_of(const StatusReport* report, const std::vector<JobState>& jobs,
                    const AboutDaemon& about) {
  const auto needs = needs_of(report, jobs);
  const Verdict verdict = verdict_of(needs, jobs, report != nullptr);
  const auto [word, style] = text_of(verdict);
  std::string html = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
      "<meta http-equiv=\"refresh\" content=\"10\"><title>{} - surveybridge on {}</title>"
      "<style>{}</style></head>\n<body>\n<h1>surveybridge on {}</h1>\n"
      "<p class=\"verdict {}\" role=\"status\"><b>{}.</b> {}</p>\n",
      word, escaped(about.host), kStyle, escaped(about.host), style, word,
      escaped(sentence_of(report, jobs, needs, verdict)));
  html += needs_html(needs);
  html += table("Jobs", {"job", "state", "for", "next step", "done"}, job_rows(jobs));
  if (report != nullptr) html += tables_of(*report);
  html += fmt::format("<footer>surveybridge {}, up {}", escaped(about.version),
                      length_text(about.uptime));
  if (report != nullptr) html += ", as of " + time_text(report->overview.now);
  return html + "</footer>\n</body></html>\n";
}

}  // namespace surveybridge::daemon
