// The texts of the messages of [alert], and how a mail and a webhook write them. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "daemon/alert/alert_plan.hpp"
#include "daemon/pull/follow_ups.hpp"
#include "daemon/report/report.hpp"
#include "daemon/status/report.hpp"

namespace surveybridge::daemon {

// What a receiver is told of one answer.
struct AnswerNote {
  std::string id;         // the same whenever it is told
  std::string follow_up;  // its name
  bool again = false;     // it may have been told before
  ShownFields fields;     // the first one is the record's number
};

// What a mail has besides its text.
struct AttachedFile {
  std::string name;  // ASCII without quotes
  std::string type;  // "text/html"; in UTF-8
  std::string text;
};

struct AlertMessage {
  std::string title;  // one line of ASCII
  std::string text;   // lines of UTF-8
  DueAlerts alerts = {};
  std::optional<AnswerNote> answer = {};
  std::vector<AttachedFile> files = {};  // of a mail
};

AlertMessage message_of(const DueAlerts& due, const AlertOrigin& origin);
// How all stands: each thing of the receiver's kinds that needs a person, and the transactions of
// each push.
AlertMessage summary_of(const StatusReport& report, const std::vector<Need>& needs,
                        const config::Receiver& receiver, const AlertOrigin& origin);
AlertMessage answer_message(const AnswerNote& answer, const AlertOrigin& origin);
AlertMessage test_message(const AlertOrigin& origin);
// A survey report with its page and, if the mail has them, its CSV files.
AlertMessage report_message(const SurveyReport& report, const config::Report::Mail& mail,
                            const AlertOrigin& origin);

// A whole mail with CR LF at the end of each line.
std::string mail_text(const AlertMessage& message, const config::Receiver& receiver, TimePoint now);
// The JSON of a webhook's form.
std::string webhook_text(const AlertMessage& message, config::Receiver::Form form);

}  // namespace surveybridge::daemon
