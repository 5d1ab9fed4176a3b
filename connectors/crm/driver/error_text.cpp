#include "connectors/crm/driver/error_text.hpp"

#include <algorithm>

namespace surveybridge::crm {
namespace {

constexpr auto kNowhere = std::string::npos;
constexpr std::size_t kShownMax = 500;

// "value 'abc' of" → "value '…' of"; up to the last closing mark: a value may contain marks.
void blank(std::string& text, char opening, char closing) {
  const auto start = text.find(opening);
  const auto end = text.rfind(closing);
  if (start == kNowhere) return;
  const auto stop = end == kNowhere || end <= start ? text.size() : end;
  text.replace(start + 1, stop - start - 1, "…");
}

std::string one_line(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  }
  const auto end = text.find_last_not_of(' ');
  text.resize(end == kNowhere ? 0 : end + 1);
  return text.size() > kShownMax ? text.substr(0, kShownMax) : text;
}

// SOCI adds a sentence before the database's message, and a driver its name in brackets.
std::string_view without_preface(std::string_view message) {
  const auto start = message.find("ERROR:");
  if (start != kNowhere) return message.substr(start);
  while (message.starts_with('[') && message.find(']') != kNowhere)
    message.remove_prefix(message.find(']') + 1);
  return message;
}

// Who reads that a statement was cancelled does not think of a lock.
const char* why_ended(std::string_view message, std::string_view sqlstate) {
  const auto says = [&](std::string_view words) { return message.find(words) != kNowhere; };
  const bool too_long = (sqlstate == "57014" && says("statement timeout")) || sqlstate == "70100";
  if (too_long)
    return ": it waited for a lock of another session, or takes longer than [crm]"
           " statement_timeout";
  const bool locked =
      (sqlstate == "55P03" && says("lock timeout")) || says("Lock wait timeout exceeded");
  return locked ? ": another session holds the lock" : "";
}

// MariaDB, of a password as of a right on the database.
constexpr std::string_view kAccessDenied = "Access denied for user '";

}  // namespace

std::string shown_error(std::string_view message, std::string_view sqlstate) {
  if (sqlstate.empty()) return one_line(std::string(message));
  const std::string_view area = sqlstate.substr(0, 2);
  if (area == "P0") {
    return "the database raised an error of its own (SQLSTATE " + std::string(sqlstate) + ")";
  }
  message = without_preface(message);
  std::string text(message.substr(0, message.find('\n')));
  if (area == "22" || area == "HY") blank(text, '"', '"');
  if (area == "22" || area == "23" || area == "HY") blank(text, '\'', '\'');
  if (area == "23") blank(text, '(', ')');
  return one_line(text) + " (SQLSTATE " + std::string(sqlstate) + ")" +
         why_ended(message, sqlstate);
}

std::string shown_connect_error(std::string_view message, std::string_view sqlstate) {
  message = without_preface(message);
  std::string text = one_line(std::string(message.substr(0, message.find('\n'))));
  if (text.find("file not found") != kNowhere)
    text += "; Driver= names a section of /etc/odbcinst.ini";
  if (text.starts_with(kAccessDenied) && text.find("' to database '") != kNowhere)
    text +=
        "; the account has no right there: docs/GUIDE.md, \"The bridge's own tables in another"
        " place\", names the GRANT";
  return text + " (SQLSTATE " + std::string(sqlstate) + ")";
}

bool is_login_refused(std::string_view error) {
  // libpq gives no SQLSTATE for a connect that failed.
  static constexpr std::string_view kWords[] = {"(SQLSTATE 28",
                                                kAccessDenied,
                                                "Unknown database '",
                                                "password authentication failed",
                                                "authentication failed for user",
                                                "FATAL:  role \"",
                                                "FATAL:  database \"",
                                                "no pg_hba.conf entry"};
  return std::ranges::any_of(kWords,
                             [&](std::string_view words) { return error.find(words) != kNowhere; });
}

DatabaseError::Kind kind_of_state(std::string_view sqlstate) {
  const std::string_view area = sqlstate.substr(0, 2);
  if (sqlstate == "57014") return DatabaseError::Kind::busy;  // it took too long
  // 25006: the server is read-only, as a standby is after a failover; 25P03: it ended our session.
  const bool elsewhere = sqlstate == "25006" || sqlstate == "25P03" || sqlstate == "HYT01";
  if (area == "08" || area == "57" || sqlstate == "53300" || elsewhere) {
    return DatabaseError::Kind::connection;
  }
  if (area == "40" || sqlstate == "55P03" || sqlstate == "HYT00") return DatabaseError::Kind::busy;
  if (area == "23") return DatabaseError::Kind::constraint;
  return DatabaseError::Kind::other;
}

}  // namespace surveybridge::crm
