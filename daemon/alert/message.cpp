#include "daemon/alert/message.hpp"

#include <algorithm>
#include <iterator>
#include <map>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "config/text.hpp"
#include "daemon/job/command_text.hpp"
#include "daemon/job/json_text.hpp"
#include "daemon/job/length_text.hpp"
#include "daemon/job/log.hpp"
#include "daemon/job/replaced.hpp"
#include "daemon/report/figures.hpp"
#include "mapping/values/base64.hpp"
#include "mapping/values/name_uuid.hpp"

namespace surveybridge::daemon {

namespace {

constexpr std::size_t kNamed = 20;        // things in one message
constexpr std::size_t kTitleBytes = 150;  // also the longest line of a head
// Of all files of a mail: what every mail server takes.
constexpr std::size_t kFileBytes = 5 << 20;

std::string ascii(const std::string& text) {
  std::string line(config::first_bytes(one_line(text), kTitleBytes));
  std::ranges::replace_if(
      line, [](char c) { return c < ' ' || c > '~'; }, '?');
  return line;
}

std::string title_of(const AlertOrigin& origin, const std::string& what) {
  return ascii("surveybridge on " + origin.host + ": " + what);
}

std::string foot_of(const AlertOrigin& origin) {
  return "\nsurveybridge on " + one_line(origin.host) + ", " + one_line(origin.file) + "\n";
}

std::string thing_text(const std::string& what, const std::string& command) {
  return "- " + what + "\n" + (command.empty() ? "" : "  " + command + "\n");
}

std::string list_text(const std::string& head, const std::vector<crm::Alert>& alerts,
                      bool with_commands) {
  if (alerts.empty()) return "";
  std::string text = head + ":\n";
  for (std::size_t i = 0; i < std::min(alerts.size(), kNamed); ++i)
    text += thing_text(alerts[i].what, with_commands ? alerts[i].command : "");
  if (alerts.size() > kNamed) text += fmt::format("and {} more\n", alerts.size() - kNamed);
  return text;
}

// "Fri, 27 Nov 2026 08:00:00 +0000" (RFC 5322).
std::string date_text(TimePoint at) {
  return fmt::format("{:%a, %d %b %Y %H:%M:%S} +0000",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(at)));
}

Json alert_json(const crm::Alert& alert) {
  return {{"subject", alert.subject},
          {"what", alert.what},
          {"command", alert.command},
          {"since", second_text(alert.since)}};
}

Json answer_json(const AlertMessage& message, const AnswerNote& answer) {
  Json fields = Json::object();
  for (const auto& [label, value] : answer.fields)
    fields[label] = value;
  return {{"title", message.title},        {"text", message.text},  {"id", answer.id},
          {"follow_up", answer.follow_up}, {"again", answer.again}, {"fields", fields}};
}

// Slack reads links and commands in what stands between these signs.
std::string slack_text(const std::string& text) {
  return replaced(replaced(replaced(text, "&", "&amp;"), "<", "&lt;"), ">", "&gt;");
}

// Teams takes an adaptive card, of which a new line is a line with nothing between. "](" would make
// a link, with an address that nobody sees, of what a customer wrote.
Json teams_json(const AlertMessage& message) {
  const auto block = [](const std::string& text, const char* weight) -> Json {
    return {{"type", "TextBlock"}, {"text", text}, {"weight", weight}, {"wrap", true}};
  };
  const std::string text = replaced(replaced(message.text, "](", "] ("), "\n", "\n\n");
  const Json card{{"$schema", "http://adaptivecards.io/schemas/adaptive-card.json"},
                  {"type", "AdaptiveCard"},
                  {"version", "1.4"},
                  {"body", Json::array({block(message.title, "Bolder"), block(text, "Default")})}};
  const Json attachment{{"contentType", "application/vnd.microsoft.card.adaptive"},
                        {"content", card}};
  return {{"type", "message"}, {"attachments", Json::array({attachment})}};
}

// " of kinds = [brake, verify]"; empty: the receiver is told everything.
std::string kinds_text(const config::Receiver& receiver) {
  if (!receiver.kinds) return "";
  std::vector<std::string> names;
  for (const auto kind : *receiver.kinds)
    names.emplace_back(word_of(kind));
  return fmt::format(" of kinds = [{}]", fmt::join(names, ", "));
}

// "Recommend (NPS): 42 (35–49), n 120; change: up 6 points (2–10)"
std::string measure_text(const Measure& measure) {
  const Estimate& total = measure.total;
  std::string text =
      measure.name + (measure.kind.empty() ? "" : " (" + measure.kind + ")") + ": " + total.text;
  if (!total.interval_text.empty()) text += " (" + total.interval_text + ")";
  text += fmt::format(", n {}", total.n);
  return text + (measure.move.text.empty() ? "" : "; change: " + measure.move.text);
}

// As many of these as fit into a mail, and the names of the others.
std::vector<std::string> attach(std::vector<AttachedFile> files, AlertMessage& message) {
  std::vector<std::string> left_out;
  std::size_t bytes = 0;
  for (auto& file : files) {
    if (bytes + file.text.size() > kFileBytes) {
      left_out.push_back(file.name);
      continue;
    }
    bytes += file.text.size();
    message.files.push_back(std::move(file));
  }
  return left_out;
}

constexpr const char* kPlainText = "text/plain";

// The head of a part of a mail, an empty line, and its text in Base64. `more`: lines of the head.
std::string mail_part(const std::string& type, const std::string& more, const std::string& text) {
  constexpr std::size_t kLine = 76;
  std::string part = "Content-Type: " + type + "; charset=utf-8\r\n" + more +
                     "Content-Transfer-Encoding: base64\r\n\r\n";
  const std::string body = mapping::write_base64(text);
  for (std::size_t at = 0; at < body.size(); at += kLine)
    part += body.substr(at, kLine) + "\r\n";
  return part;
}

}  // namespace

AlertMessage message_of(const DueAlerts& due, const AlertOrigin& origin) {
  const auto begun = static_cast<std::int64_t>(due.begun.size());
  const auto over = static_cast<std::int64_t>(due.over.size());
  const std::string what = begun == 1  ? "needs a person: " + due.begun.front().what
                           : begun > 1 ? counted(begun, "thing") + " need a person"
                           : over == 1 ? "well again: " + due.over.front().what
                                       : counted(over, "thing") + " are well again";
  const std::string needs = list_text("Needs a person", due.begun, true);
  const std::string well = list_text("Well again", due.over, false);
  return {title_of(origin, what),
          needs + (needs.empty() || well.empty() ? "" : "\n") + well + foot_of(origin), due};
}

AlertMessage summary_of(const StatusReport& report, const std::vector<Need>& needs,
                        const config::Receiver& receiver, const AlertOrigin& origin) {
  std::vector<Need> told;
  std::ranges::copy_if(needs, std::back_inserter(told),
                       [&](const Need& need) { return wants(receiver, need.kind); });
  const std::string of_kinds = kinds_text(receiver);
  std::string text =
      told.empty() ? fmt::format("Nothing{} needs a person.\n", of_kinds) : "Needs a person:\n";
  for (const auto& need : told)
    text += thing_text(without_people(need.what),
                       need.command.empty() ? "" : with_file(need.command, origin.file));
  std::map<std::string, std::vector<std::string>> pushes;
  for (const auto& push : report.waiting)
    pushes[push.push].push_back((push.uncounted.empty() ? std::to_string(push.rows) : "?") +
                                " waiting");
  for (const auto& count : report.overview.counts)
    pushes[count.push].push_back(fmt::format("{} {}", count.rows, to_string(count.state)));
  text += "\nTransactions:\n";
  for (const auto& [push, parts] : pushes)
    text += fmt::format("- {}: {}\n", push, fmt::join(parts, ", "));
  const auto number = static_cast<std::int64_t>(told.size());
  const std::string what = number == 0 && receiver.kinds ? "nothing" + of_kinds + " needs a person"
                           : number == 0                 ? "all is well"
                           : number == 1                 ? "1 thing needs a person"
                                         : counted(number, "thing") + " need a person";
  return {title_of(origin, "summary: " + what), text + foot_of(origin)};
}

AlertMessage answer_message(const AnswerNote& answer, const AlertOrigin& origin) {
  std::string text = answer.again ? "This may have been told before.\n\n" : "";
  for (const auto& [label, value] : answer.fields)
    text += fmt::format("{}: {}\n", label, value);
  const auto& [what, number] = answer.fields.front();
  return {title_of(origin, answer.follow_up + ": " + what + " " + number),
          text + foot_of(origin),
          {},
          answer};
}

AlertMessage test_message(const AlertOrigin& origin) {
  return {
      title_of(origin, "a test"),
      "This is a test by `surveybridge alert test`: nothing needs a person.\n" + foot_of(origin)};
}

AlertMessage report_message(const SurveyReport& report, const config::Report::Mail& mail,
                            const AlertOrigin& origin) {
  const Figures figures = figures_of(report);
  std::string text = fmt::format("{}, {}\n\n", figures.title, figures.scope);
  for (const auto& sentence : figures.verdict)
    text += sentence + "\n";
  for (const auto& measure : figures.measures)
    if (!figures.empty) text += "- " + measure_text(measure) + "\n";
  std::vector<AttachedFile> files{
      {"report_" + report.to + ".html", "text/html", report_html(report)}};
  if (mail.csv)
    for (auto& [name, table] : report_csv(report))
      files.push_back({name, "text/csv", std::move(table)});
  AlertMessage message{ascii(figures.title + ", " + figures.scope), std::move(text)};
  const auto left_out = attach(std::move(files), message);
  message.text +=
      left_out.empty()
          ? "\nMore is in the attached page, which every browser opens.\n"
          : fmt::format("\nToo large for a mail: {}. `surveybridge report` makes the same.\n",
                        fmt::join(left_out, ", "));
  message.text += foot_of(origin);
  return message;
}

std::string mail_text(const AlertMessage& message, const config::Receiver& receiver,
                      TimePoint now) {
  std::string mail = fmt::format("From: {}\r\nTo: {}\r\nSubject: {}\r\nDate: {}\r\n", receiver.from,
                                 fmt::join(receiver.mail, ",\r\n "), message.title, date_text(now));
  const std::string id =
      message.answer ? message.answer->id
                     : mapping::name_uuid(mail + message.text + second_text(now) + receiver.name);
  mail += "Message-ID: <" + id +
          "@surveybridge>\r\nAuto-Submitted: auto-generated\r\nMIME-Version: 1.0\r\n";
  if (message.files.empty()) return mail + mail_part(kPlainText, "", message.text);
  const std::string boundary = "=_" + id;  // Base64 has no "_"
  mail += "Content-Type: multipart/mixed; boundary=\"" + boundary + "\"\r\n\r\n";
  mail += "--" + boundary + "\r\n" + mail_part(kPlainText, "", message.text);
  for (const auto& file : message.files)
    mail +=
        "--" + boundary + "\r\n" +
        mail_part(file.type, "Content-Disposition: attachment; filename=\"" + file.name + "\"\r\n",
                  file.text);
  return mail + "--" + boundary + "--\r\n";
}

std::string webhook_text(const AlertMessage& message, config::Receiver::Form form) {
  using Form = config::Receiver::Form;
  if (form == Form::slack)
    return json_text({{"text", slack_text("*" + message.title + "*\n" + message.text)}});
  if (form == Form::teams) return json_text(teams_json(message));
  if (message.answer) return json_text(answer_json(message, *message.answer));
  return json_text({{"title", message.title},
                    {"text", message.text},
                    {"begun", array_of(message.alerts.begun, alert_json)},
                    {"over", array_of(message.alerts.over, alert_json)}});
}

}  // namespace surveybridge::daemon
