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

std::string table(const char* title, const Cells& head, const std::vector<Cells>& rows) {
  std::string html = fmt::format("<h2>{}</h2>\n<table>\n<tr>", title);
  for (const auto& cell : head)
    html += fmt::format("<th>{}</th>", cell);
  html += "</tr>\n";
  for (const auto& row : rows) {
    html += "<tr>";
    for (const auto& cell : row)
      html += fmt::format("<td>{}</td>", escaped(cell));
    html += "</tr>\n";
  }
  return html + "</table>\n";
}

constexpr const char* kHead =
    "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>surveybridge</title>"
    "<meta http-equiv=\"refresh\" content=\"10\"><style>body{font:15px/1.5 "
    "system-ui,sans-serif;margin:2em auto;max-width:60em;padding:0 1em}table{border-collapse:"
    "collapse}td,th{text-align:left;padding:.2em 1em .2em 0;border-bottom:1px solid #ccc}"
    "</style></head><body>\n<h1>surveybridge</h1>\n";

std::vector<Cells> job_rows(const std::vector<JobState>& jobs) {
  std::vector<Cells> rows;
  for (const auto& [name, status] : jobs) {
    rows.push_back({name, std::to_string(status.done) + " " + status.unit,
                    status.trouble.empty() ? "well" : status.trouble});
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

// One metric: its help and type once, then its samples.
class Metric {
 public:
  Metric(std::string& out, const char* name, const char* type, const char* help)
      : out_(out), name_(name) {
    out_ += fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, help, name, type);
  }
  template <typename Number>
  void sample(const std::vector<std::pair<const char*, std::string>>& labels, Number value) {
    std::string text;
    for (const auto& [label, of] : labels)
      text += fmt::format("{}{}=\"{}\"", text.empty() ? "" : ",", label, in_label(of));
    out_ += text.empty() ? fmt::format("{} {}\n", name_, value)
                         : fmt::format("{}{{{}}} {}\n", name_, text, value);
  }

 private:
  static std::string in_label(const std::string& text) {
    std::string out;
    for (const char c : text) {
      if (c == '"' || c == '\\') out += '\\';
      out += c == '\n' ? ' ' : c;
    }
    return out;
  }
  std::string& out_;
  std::string name_;
};

void add_ledger(std::string& out, const StatusReport& report) {
  Metric rows(out, "surveybridge_transactions", "gauge", "Rows of the ledger by state.");
  for (const auto& count : report.overview.counts)
    rows.sample({{"push", count.push}, {"state", to_string(count.state)}}, count.rows);
  Metric waiting(out, "surveybridge_waiting", "gauge",
                 "Transactions the ledger does not know yet.");
  for (const auto& push : report.waiting)
    waiting.sample({{"push", push.push}}, push.rows);
  Metric old(out, "surveybridge_too_old", "gauge",
             "Transactions first seen when older than look_back; never sent.");
  for (const auto& push : report.waiting)
    old.sample({{"push", push.push}}, push.too_old);
  Metric listed(out, "surveybridge_never_listed", "gauge",
                "Transactions sent a day ago or earlier that the service does not list.");
  for (const auto& push : report.waiting)
    if (push.never_listed) listed.sample({{"push", push.push}}, *push.never_listed);
  Metric brake(out, "surveybridge_brake", "gauge", "1 where the brake holds.");
  for (const auto& push : report.waiting)
    brake.sample({{"push", push.push}}, push.brake.empty() ? 0 : 1);
}

void add_pace(std::string& out, const StatusReport& report) {
  const TimePoint now = report.overview.now;
  std::vector<crm::PaceRow> living;
  std::ranges::copy_if(report.overview.paces, std::back_inserter(living),
                       [&](const crm::PaceRow& pace) { return pace.live_until > now; });
  Metric rate(out, "surveybridge_pace", "gauge", "Requests a second that were learned to pass.");
  for (const auto& pace : living)
    rate.sample({{"instance", pace.owner}, {"lane", pace.read ? "write" : "all"}},
                pace.all.per_second);
  for (const auto& pace : living) {
    if (pace.read) rate.sample({{"instance", pace.owner}, {"lane", "read"}}, pace.read->per_second);
  }
  Metric held(out, "surveybridge_pace_held_seconds", "gauge",
              "For so long nobody sends, since the service asked to wait.");
  for (const auto& pace : living) {
    const auto left = pace.held_until.value_or(now) - now;
    held.sample({{"instance", pace.owner}},
                std::max<std::int64_t>(0, std::chrono::ceil<std::chrono::seconds>(left).count()));
  }
}

void add_unreadable(std::string& out, const StatusReport& report) {
  Metric unreadable(out, "surveybridge_unreadable_records", "gauge",
                    "Records of a list that could not be read and are set aside.");
  for (const auto& [list, records] : report.overview.unreadable)
    unreadable.sample({{"list", list}}, records);
}

void add_verified(std::string& out, const StatusReport& report) {
  const auto& all = report.overview.verify_results;
  Metric differences(out, "surveybridge_verify_differences", "gauge",
                     "Transactions by which ledger and service differed when last verified.");
  for (const auto& found : all) {
    if (found.differences) differences.sample({{"push", found.push}}, *found.differences);
  }
  Metric unaccounted(out, "surveybridge_verify_unaccounted", "gauge",
                     "Eligible transactions that nothing had become of when last verified.");
  for (const auto& found : all)
    unaccounted.sample({{"push", found.push}}, found.unaccounted);
  Metric age(out, "surveybridge_verify_age_seconds", "gauge", "Seconds since verify last ran.");
  for (const auto& found : all) {
    const auto since = std::chrono::floor<std::chrono::seconds>(report.overview.now - found.at);
    age.sample({{"push", found.push}}, since.count());
  }
}

void add_walks(std::string& out, const StatusReport& report) {
  Metric age(out, "surveybridge_walk_age_seconds", "gauge",
             "Seconds since a walk last came to its end.");
  for (const auto& walk : report.overview.walks) {
    if (!walk.finished_at) continue;
    const auto since =
        std::chrono::floor<std::chrono::seconds>(report.overview.now - *walk.finished_at);
    age.sample({{"list", walk.list}, {"walk", walk.walk}}, since.count());
  }
}

}  // namespace

std::string page_of(const StatusReport& report, const std::vector<JobState>& jobs) {
  std::string html = kHead;
  html += table("Jobs", {"job", "done", "state"}, job_rows(jobs));
  html += table("Transactions", {"push", "state", "rows", ""}, ledger_rows(report));
  html +=
      table("Walks", {"walk", "now", "last finished", "ignored by the service"}, walk_rows(report));
  html += table("Records that cannot be read", {"list", "records", ""}, unreadable_rows(report));
  html += table("Pace", {"instance", "requests", "last 429", "all wait until", "who waits"},
                pace_rows(report));
  html += table("Last verified",
                {"push", "when", "eligible", "not accounted for", "differences from the service"},
                verify_rows(report));
  html += table("Last batches", {"push", "rows", "sent", "answer"}, batch_rows(report));
  return html + fmt::format("<p>as of {}</p>\n</body></html>\n", time_text(report.overview.now));
}

std::string metrics_of(const StatusReport* report, const std::vector<JobState>& jobs) {
  std::string out;
  Metric up(out, "surveybridge_database_up", "gauge", "1 where the CRM's database answers.");
  up.sample({}, report == nullptr ? 0 : 1);
  if (report != nullptr) {
    add_ledger(out, *report);
    add_verified(out, *report);
    add_unreadable(out, *report);
    add_pace(out, *report);
    add_walks(out, *report);
  }
  Metric trouble(out, "surveybridge_job_trouble", "gauge", "1 where a job waits for something.");
  for (const auto& [name, status] : jobs)
    trouble.sample({{"job", name}}, status.trouble.empty() ? 0 : 1);
  Metric done(out, "surveybridge_job_done_total", "counter", "Rows or records since the start.");
  for (const auto& [name, status] : jobs)
    done.sample({{"job", name}}, status.done);
  return out;
}

}  // namespace surveybridge::daemon
