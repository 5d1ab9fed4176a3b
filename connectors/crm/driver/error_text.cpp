#include "connectors/crm/driver/error_text.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

#include "config/text.hpp"
#include "connectors/crm/dialect/traits.hpp"

namespace surveybridge::crm {
namespace {

constexpr auto kNowhere = std::string::npos;
constexpr std::size_t kShownMax = 500;
constexpr std::string_view kHidden = "…";  // instead of what may be a value

std::string one_line(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  }
  const auto end = text.find_last_not_of(' ');
  text.resize(end == kNowhere ? 0 : end + 1);
  return std::string(config::first_bytes(text, kShownMax));
}

// PostgreSQL writes a severity and two blanks, behind what SOCI adds; a driver its name in
// brackets.
std::string_view without_preface(std::string_view message) {
  while (message.starts_with('[') && message.find(']') != kNowhere)
    message.remove_prefix(message.find(']') + 1);
  const auto severity = message.substr(0, message.find('\n')).find(":  ");
  if (severity == kNowhere) return message;
  const auto word = message.substr(0, severity).find_last_of(' ');
  return message.substr(word == kNowhere ? 0 : word + 1);
}

// --- What an error is about, by its code ---

struct Sentence {
  std::string_view sqlstate;
  int number;  // of the driver; 0: any
  std::string_view text;
};
// The first that fits. A shorter state is a class.
constexpr Sentence kSentences[] = {
    {"22001", 0, "a value is too long for its column"},
    {"22003", 0, "a number is too large for its column or type"},
    {"22007", 0, "a text cannot be read as a date"},
    {"22008", 0, "a date is out of range"},
    {"22012", 0, "a division by zero"},
    {"22021", 0, "a text has bytes that its encoding does not know"},
    {"22P02", 0, "a value cannot be read as the type that is asked for"},
    {"22018", 0, "a value cannot be read as the type that is asked for"},
    {"22", 0, "the database cannot take a value"},
    {"21", 0, "a subquery in place of a value has several rows"},
    {"23502", 0, "NULL where a value must be"},
    {"23503", 0, "a foreign key refuses the row"},
    {"23505", 0, "a value that must be unique is there already"},
    {"23514", 0, "a CHECK refuses the row"},
    {"23", 1048, "NULL where a value must be"},
    {"23", 1062, "a value that must be unique is there already"},
    {"23", 1451, "a foreign key refuses the row"},
    {"23", 1452, "a foreign key refuses the row"},
    {"23", 4025, "a CHECK refuses the row"},
    {"23", 0, "a constraint refuses the row"},
    {"42", 1044, "the account has no right to do that in this database"},
    {"42", 1054, "a column is not there"},
    {"42", 1142, "the account has no right on a table"},
    {"42", 1143, "the account has no right on a column"},
    {"42", 1146, "a table is not there"},
    {"P0", 0, "the database raised an error of its own"},
    {"45", 0, "the database raised an error of its own"},
    {"HY000", 1205, "it waited too long for a lock"},
    {"HY000", 1290, "the server is read-only, or a setting forbids the statement"},
    {"HY000", 1364, "a column without a default needs a value"},
    {"HY000", 1366, "a value cannot be read as the type of its column"},
    {"HY000", 1665,
     "the server's binlog_format is STATEMENT, which takes no change from a session of READ"
     " COMMITTED, as ours are: ROW or MIXED does"},
    {"01", 1265, "a value is none that its column takes"},
    {"", 1811, "the database raised an error of its own"},
    {"HY000", 1820, "the account's password has expired"},
    {"HY000", 1862, "the account's password has expired"},
};
constexpr std::string_view kRefused = "the database refuses the statement";

// Errors of a server of MariaDB or MySQL, alone or in a cluster, whose own words mislead there.
constexpr Sentence kOfClusters[] = {
    {"08S01", 1047,
     "this node of the cluster is not ready: it has lost the others, or is catching up with them"},
    {"40001", 1213,
     "the transaction was rolled back, because another one, here or on another node of the cluster,"
     " changes the same rows"},
    {"HY000", 1180,
     "a COMMIT has failed: the server's disk is full, what it writes is too large for its cluster, "
     "or"
     " the node has left the cluster"},
};

// Errors about a statement, a name, a right, a session or the server, whose words hold no value of
// a row.
constexpr std::string_view kOfStatements[] = {"08", "0A", "25", "26", "28", "34", "3D", "3F", "40",
                                              "42", "53", "54", "55", "57", "58", "70", "IM"};

// Errors that MariaDB and MySQL raise for a value under the general state: bytes that are no text,
// a value of another type, one that a function does not take, a text that is no date, one that a
// regular expression gives up on.
constexpr int kOfValues[] = {1300, 1366, 1411, 1525, 3698, 3699};
constexpr int kErrorOfSqlite = 1;
// A subquery in place of a value has several rows; a stored value is damaged.
constexpr std::string_view kManyRowsForOne = "21000", kDamaged = "XX001";
// Values, what is larger or deeper than the server takes, and what a function raises: RAISE of
// PL/pgSQL, SIGNAL, one that ends without a value.
constexpr std::string_view kClassesOfValues[] = {"22", "54", "P0", "45", "2F", "38", "39"};

// MariaDB: a right on the database.
constexpr int kNoRightOnDatabase = 1044;

// Numbers of SIGNAL and RESIGNAL of MariaDB.
constexpr int kFirstSignal = 1642, kLastSignal = 1644;
// SIGNAL, RAISERROR and THROW may name numbers of the user's own from here on.
constexpr int kFirstOfUsers = 30'000;

std::string_view sentence_of(const ErrorCode& code) {
  const auto fits = [&](const Sentence& each) {
    const bool same =
        each.sqlstate.empty() ? code.sqlstate.empty() : code.sqlstate.starts_with(each.sqlstate);
    return same && (each.number == 0 || each.number == code.number);
  };
  const auto* found = std::ranges::find_if(kSentences, fits);
  return found == std::end(kSentences) ? std::string_view() : found->text;
}

std::string_view sentence_of_cluster(const ErrorCode& code) {
  const auto* found = std::ranges::find_if(kOfClusters, [&](const Sentence& each) {
    return each.sqlstate == code.sqlstate && each.number == code.number;
  });
  return found == std::end(kOfClusters) ? std::string_view() : found->text;
}

// A function of the database's own may raise any state: PostgreSQL names its language then.
bool is_raised(std::string_view message, const ErrorCode& code) {
  const auto line = message.find('\n');
  const bool by_function = line != kNowhere && message.find("PL/", line) != kNowhere;
  const bool by_number = code.number >= kFirstOfUsers;
  return by_function || by_number || (code.number >= kFirstSignal && code.number <= kLastSignal);
}

// A trigger of MariaDB may raise any number. `statement`: in small letters.
bool may_run_triggers(std::string_view statement, const ErrorCode& code) {
  static constexpr std::string_view kReads[] = {"select", "with", "show", "set", "("};
  const auto begin = statement.find_first_not_of(" \n\t");
  if (code.number == 0 || code.sqlstate.empty() || begin == kNowhere) return false;
  statement.remove_prefix(begin);
  return std::ranges::none_of(kReads,
                              [&](std::string_view word) { return statement.starts_with(word); });
}

bool is_about_a_statement(std::string_view message, const ErrorCode& code,
                          std::string_view statement) {
  if (is_raised(message, code) || may_run_triggers(statement, code)) return false;
  if (code.sqlstate.empty()) return sentence_of(code).empty();  // SQLite's
  return std::ranges::find(kOfStatements, std::string_view(code.sqlstate).substr(0, 2)) !=
         std::end(kOfStatements);
}

// Who reads that a statement was cancelled does not think of a lock.
std::string_view why_ended(const ErrorCode& code) {
  if (code.sqlstate == "57014" || code.sqlstate == "70100")
    return ": it waited for a lock of another session, takes longer than [crm] statement_timeout,"
           " or was cancelled";
  if (code.sqlstate == "55P03") return ": another session holds the lock";
  if (code.sqlstate != "HY000" || code.number != 1205) return "";
  return ": another session holds the lock, or this node of a cluster does not catch up";
}

// --- Names that the statement has ---

bool is_of_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// Is it in the text, with nothing of a name around it?
bool has_word(const std::string& text, const std::string& word) {
  for (auto at = text.find(word); at != kNowhere; at = text.find(word, at + 1)) {
    const auto end = at + word.size();
    if ((at == 0 || !is_of_name(text[at - 1])) && (end == text.size() || !is_of_name(text[end])))
      return true;
  }
  return false;
}

// A name of the statement, or one that the database has made of such a name: "orders_pkey".
bool is_name_of(const std::string& statement, std::string_view name) {
  if (name.empty() || !std::ranges::all_of(name, is_of_name)) return false;
  const std::string word = config::lower_case(std::string(name));
  if (has_word(statement, word)) return true;
  for (auto end = word.rfind('_'); end != kNowhere && end > 0; end = word.rfind('_', end - 1))
    if (has_word(statement, word.substr(0, end))) return true;
  return false;
}

// "`crm`.`orders`": the last of its names counts.
bool is_known(const std::string& statement, std::string_view text) {
  if (statement.empty() || text.find('@') != kNowhere) return false;
  const auto end = text.find_last_of(".`\"[]'");
  return is_name_of(statement, end == kNowhere ? text : text.substr(end + 1));
}

// --- Words ---

bool is_letter(char32_t c) {
  if (c < 0x80) return std::isalpha(static_cast<int>(c)) != 0;
  return (c >= 0xc0 && c <= 0x1fff && c != 0xd7 && c != 0xf7) || (c >= 0x3041 && c <= 0xd7a3);
}

bool is_opening(char32_t c) {
  return std::u32string_view(U"'\"`´‘’‚‛“”„‟«»‹›「『《〈＂＇([{<").find(c) != kNowhere;
}

bool is_closing(char32_t c) {
  return std::u32string_view(U"'\"`´‘’‚‛“”„‟«»‹›」』》〉＂＇)]}>").find(c) != kNowhere;
}

struct Token {
  std::u32string text;
  char32_t first() const { return text.front(); }
  // Without what follows a word.
  std::u32string word() const {
    const auto end = text.find_last_not_of(U".,;:!?。、，：；");
    return text.substr(0, end == kNowhere ? 0 : end + 1);
  }
  bool ends_with_colon() const { return text.ends_with(U':') || text.ends_with(U'：'); }
};

std::vector<Token> tokens_of(const std::string& line) {
  std::vector<Token> tokens;
  bool open = false;
  std::string valid = line;
  if (!config::is_utf8(valid))
    std::ranges::replace_if(
        valid, [](char c) { return static_cast<unsigned char>(c) >= 0x80; }, '?');
  for (const char32_t c : config::code_points(valid)) {
    const bool blank = c <= 0x20 || c == 0xa0 || c == 0x202f || (c >= 0x2000 && c <= 0x200b);
    if (!blank && !open) tokens.emplace_back();
    if (!blank) tokens.back().text += c;
    open = !blank;
  }
  return tokens;
}

// Without the marks around it.
std::u32string core_of(std::u32string word) {
  while (!word.empty() && is_opening(word.front()))
    word.erase(word.begin());
  while (!word.empty() && is_closing(word.back()))
    word.pop_back();
  return word;
}

bool is_plain_word(const std::u32string& word) {
  const auto fits = [](char32_t c) { return is_letter(c) || c == U'-' || c == U'/' || c == U'\''; };
  const bool short_number = word.size() <= 2 && std::ranges::all_of(word, [](char32_t c) {
                              return c >= U'0' && c <= U'9';
                            });
  const bool ends_in_mark = !word.empty() && is_closing(word.back());  // "doesn't" does not
  return !word.empty() && !ends_in_mark && (short_number || std::ranges::all_of(word, fits));
}

// The words of a line, and what the statement has. What stands in marks of any kind or behind a
// colon may be a value.
std::string words_of(const std::string& line, const std::string& statement) {
  std::string shown;
  bool inside = false, behind_colon = false, first = true;
  const auto add = [&](const std::string& text) {
    if (text == kHidden && shown.ends_with(kHidden)) return;
    shown += (shown.empty() ? "" : " ") + text;
  };
  for (const Token& token : tokens_of(line)) {
    const auto word = token.word();
    const bool opens = is_opening(token.first());
    const bool closes = word.size() > 1 && is_closing(word.back());
    const bool plain = !inside && !opens && !behind_colon && is_plain_word(word);
    const bool only_marks = std::ranges::none_of(token.text, [](char32_t c) {
      return is_letter(c) || (c >= U'0' && c <= U'9') || (c >= 0x80 && !is_closing(c));
    });
    add(plain || only_marks || is_known(statement, config::utf8_of(core_of(word)))
            ? config::utf8_of(token.text)
            : std::string(kHidden));
    inside = (inside || opens) && !closes;
    // Not of SQLite's `near "x": syntax error`.
    if (token.ends_with_colon() && !first && !closes) behind_colon = true;
    first = false;
  }
  return shown;
}

// Where a column is missing: MariaDB writes "in 'WHERE'", MySQL "in 'where clause'".
bool is_clause(const std::string& name) {
  static constexpr std::string_view kClauses[] = {"group", "having", "on", "order", "set", "where"};
  return std::ranges::find(kClauses, config::lower_case(name)) != std::end(kClauses);
}

// Names in the line that the statement has too.
std::string names_in(const std::string& line, const std::string& statement) {
  std::string names;
  for (const Token& token : tokens_of(line)) {
    std::string name = config::utf8_of(core_of(token.word()));
    std::erase(name, '`');
    const bool marked = is_opening(token.first()) || name.find_first_of("_.") != kNowhere;
    if (!marked || !is_known(statement, name) || names.find(name) != kNowhere) continue;
    if (!names.empty() && is_clause(name)) continue;
    names += (names.empty() ? ": " : ", ") + name;
  }
  return names;
}

std::string state_text(const ErrorCode& code) {
  if (code.sqlstate.empty()) return "";
  const bool general = code.sqlstate == "HY000" || code.sqlstate.starts_with("01");
  return " (SQLSTATE " + code.sqlstate +
         (general && code.number != 0 ? ", error " + std::to_string(code.number) : "") + ")";
}

// The driver manager's own: no library, no section of that name.
bool is_driver_missing(const ErrorCode& code) {
  return code.sqlstate == "01000" || code.sqlstate == "IM002";
}

}  // namespace

std::string shown_error(std::string_view message, const ErrorCode& code,
                        std::string_view statement) {
  const std::string sql = config::lower_case(std::string(statement));
  const std::string_view text = without_preface(message);
  const std::string line(text.substr(0, std::min<std::size_t>(text.find('\n'), 4 * kShownMax)));
  std::string shown(sentence_of_cluster(code));
  if (!shown.empty()) return shown + state_text(code);
  if (is_about_a_statement(message, code, sql)) {
    shown = words_of(line, sql);
    const auto severity = shown.find(": ");  // as PostgreSQL writes it
    if (line.find(":  ") != kNowhere && severity != kNowhere) shown.insert(severity + 1, " ");
  } else if (is_raised(message, code)) {
    shown = "the database raised an error of its own";
  } else {
    const auto sentence = sentence_of(code);
    shown = std::string(sentence.empty() ? kRefused : sentence) + names_in(line, sql);
  }
  return one_line(shown) + state_text(code) + std::string(why_ended(code));
}

std::string shown_connect_error(std::string_view message, const ErrorCode& code) {
  message = without_preface(message);
  const std::string_view of_cluster = sentence_of_cluster(code);
  std::string text = one_line(std::string(of_cluster.empty() ? message : of_cluster));
  if (is_driver_missing(code)) text += "; Driver= names a section of /etc/odbcinst.ini";
  if (code.number == kNoRightOnDatabase)
    text +=
        "; the account has no right there: docs/GUIDE.md, \"The bridge's own tables in another"
        " place\", names the GRANT";
  return text + (code.sqlstate.empty() ? "" : " (SQLSTATE " + code.sqlstate + ")");
}

bool is_login_refused(const DatabaseError& error) {
  if (error.kind != DatabaseError::Kind::connection) return false;
  if (is_driver_missing(error.code)) return true;
  // Two names, since clang 14 captures no structured binding.
  const std::string& sqlstate = error.code.sqlstate;
  const int number = error.code.number;
  const bool by_state = sqlstate.starts_with("28") || sqlstate == "3D000" || sqlstate == "42501";
  return by_state || std::ranges::any_of(all_dialects(), [number](Dialect dialect) {
           const auto& refused = traits(dialect).odbc_login_refused;
           const auto& expired = traits(dialect).odbc_password_expired;
           return number != 0 && (std::ranges::find(refused, number) != refused.end() ||
                                  std::ranges::find(expired, number) != expired.end());
         });
}

bool may_be_of_a_value(const DatabaseError& error) {
  const auto& [sqlstate, number] = error.code;
  // What only reads meets a constraint in a cast: a domain of PostgreSQL with a CHECK.
  if (error.kind == DatabaseError::Kind::constraint) return true;
  if (error.kind != DatabaseError::Kind::other) return false;
  if (sqlstate.empty()) return (number & 0xff) == kErrorOfSqlite;
  const bool by_number =
      sqlstate == "HY000" && (std::ranges::find(kOfValues, number) != std::end(kOfValues) ||
                              (number >= kFirstSignal && number <= kLastSignal));
  const auto area = std::string_view(sqlstate).substr(0, 2);
  const bool by_class = std::ranges::find(kClassesOfValues, area) != std::end(kClassesOfValues);
  return by_class || sqlstate == kManyRowsForOne || sqlstate == kDamaged || by_number;
}

DatabaseError::Kind kind_of_state(std::string_view sqlstate) {
  const std::string_view area = sqlstate.substr(0, 2);
  if (sqlstate == "57014") return DatabaseError::Kind::busy;  // it took too long
  // 25006: the server is read-only, as a standby is after a failover; 25P03, 25P04: it ended our
  // session.
  const bool elsewhere =
      sqlstate == "25006" || sqlstate == "25P03" || sqlstate == "25P04" || sqlstate == "HYT01";
  if (area == "08" || area == "57" || sqlstate == "53300" || elsewhere) {
    return DatabaseError::Kind::connection;
  }
  if (area == "40" || sqlstate == "55P03" || sqlstate == "HYT00") return DatabaseError::Kind::busy;
  if (area == "23") return DatabaseError::Kind::constraint;
  return DatabaseError::Kind::other;
}

}  // namespace surveybridge::crm
