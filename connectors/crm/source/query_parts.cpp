#include "connectors/crm/source/query_parts.hpp"

#include <set>
#include <string_view>

#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/source/source_sql.hpp"
#include "mapping/values/text.hpp"

namespace surveybridge::crm {
namespace {

using Words = std::set<std::string_view>;

// Outside of parentheses: what makes rows depend on more than tables and conditions, or joins
// tables without a condition.
const Words kNotSimple = {"union",  "intersect", "except",  "minus",        "group",
                          "having", "limit",     "offset",  "fetch",        "window",
                          "with",   "into",      "for",     "natural",      "cross",
                          "apply",  "top",       "lateral", "straight_join"};
// What may stand before a parenthesis: words of SQL, types, and functions that only compute.
const Words kBeforeParenthesis = {"all",
                                  "and",
                                  "any",
                                  "as",
                                  "between",
                                  "by",
                                  "else",
                                  "except",
                                  "exists",
                                  "filter",
                                  "from",
                                  "in",
                                  "interval",
                                  "is",
                                  "join",
                                  "like",
                                  "not",
                                  "on",
                                  "or",
                                  "over",
                                  "select",
                                  "some",
                                  "then",
                                  "union",
                                  "using",
                                  "values",
                                  "when",
                                  "where",
                                  "bigint",
                                  "binary",
                                  "char",
                                  "datetime",
                                  "decimal",
                                  "numeric",
                                  "time",
                                  "timestamp",
                                  "timestamptz",
                                  "varchar",
                                  "abs",
                                  "age",
                                  "avg",
                                  "cast",
                                  "ceil",
                                  "ceiling",
                                  "char_length",
                                  "coalesce",
                                  "concat",
                                  "concat_ws",
                                  "convert",
                                  "convert_tz",
                                  "count",
                                  "curdate",
                                  "current_timestamp",
                                  "date",
                                  "date_add",
                                  "date_format",
                                  "date_part",
                                  "date_sub",
                                  "date_trunc",
                                  "dateadd",
                                  "datediff",
                                  "day",
                                  "extract",
                                  "floor",
                                  "from_unixtime",
                                  "greatest",
                                  "hour",
                                  "if",
                                  "ifnull",
                                  "iif",
                                  "isnull",
                                  "json_extract",
                                  "json_unquote",
                                  "json_value",
                                  "julianday",
                                  "least",
                                  "left",
                                  "length",
                                  "lower",
                                  "lpad",
                                  "ltrim",
                                  "make_interval",
                                  "max",
                                  "min",
                                  "mod",
                                  "month",
                                  "now",
                                  "nullif",
                                  "replace",
                                  "right",
                                  "round",
                                  "row_number",
                                  "rpad",
                                  "rtrim",
                                  "split_part",
                                  "strftime",
                                  "substr",
                                  "substring",
                                  "sum",
                                  "timestampadd",
                                  "timestampdiff",
                                  "timezone",
                                  "to_char",
                                  "to_date",
                                  "to_timestamp",
                                  "trim",
                                  "trunc",
                                  "unix_timestamp",
                                  "unixepoch",
                                  "upper",
                                  "utc_timestamp",
                                  "weekday",
                                  "year"};

using Token = config::SqlToken;

// The words outside of parentheses that name nothing, and each comma or || there, of a query whose
// comments are gone. Empty: it is not certain.
std::optional<std::vector<Token>> outer_words(const std::string& sql,
                                              const config::SqlSyntax& syntax) {
  std::vector<Token> words;
  Token last;
  for (const auto& token : config::sql_tokens(sql, syntax)) {
    const auto& text = token.text;
    const bool calls =
        text == "(" && (last.kind == Token::Kind::sign ? last.text == "."
                                                       : !kBeforeParenthesis.contains(last.text));
    if (calls || token.depth < 0 || text == ";" || text == ":=") return std::nullopt;
    const bool counts = token.kind == Token::Kind::word ? !text.empty() && last.text != "as"
                                                        : text == "," || text == "||";
    if (token.depth == 0 && counts) words.push_back(token);
    last = token;
  }
  if (last.depth != 0) return std::nullopt;
  return words;
}

// Empty: a database may read a comment otherwise.
std::optional<std::string> without_comments(const std::string& sql,
                                            const config::SqlSyntax& syntax) {
  std::string text;
  std::size_t copied = 0;
  for (const auto& token : config::sql_tokens(sql, syntax)) {
    if (token.kind != Token::Kind::comment) continue;
    const char next = token.begin + 2 < sql.size() ? sql[token.begin + 2] : ' ';
    const bool is_plain = sql[token.begin] == '-'
                              ? mapping::kBlanks.find(next) != std::string_view::npos
                              : next != '!' && next != '+' && next != 'M';
    if (!is_plain) return std::nullopt;
    text += sql.substr(copied, token.begin - copied) + ' ';
    copied = token.end;
  }
  return text + sql.substr(copied);
}

// Are the tables between these words joined by conditions?
bool are_joined(const std::vector<Token>& words, std::size_t from, std::size_t to) {
  std::ptrdiff_t joins = 0;
  for (std::size_t i = from; i < to; ++i) {
    if (words[i].text == ",") return false;
    if (words[i].text == "join") ++joins;
    if (words[i].text == "on" || words[i].text == "using") --joins;
  }
  return joins == 0;
}

// The positions of the ANDs that join conditions; none where they cannot be parted.
std::vector<Token> ands(const std::vector<Token>& words, std::size_t from, std::size_t to) {
  static const Words joined = {"or", "xor", "case", "||"};
  std::vector<Token> found;
  bool is_between = false;
  for (std::size_t i = from; i < to; ++i) {
    const auto& text = words[i].text;
    if (joined.contains(text)) return {};
    if (text == "between") is_between = true;
    if (text != "and") continue;
    if (!is_between) found.push_back(words[i]);
    is_between = false;
  }
  return found;
}

}  // namespace

std::optional<QueryParts> parts_of(Dialect dialect, const std::string& query) {
  const config::SqlSyntax& syntax = traits(dialect).syntax;
  if (query.find('\\') != std::string::npos) return std::nullopt;  // it depends on the session
  const auto sql = without_comments(without_end(query), syntax);
  const auto words = sql ? outer_words(*sql, syntax) : std::nullopt;
  if (!words || words->empty() || words->front().text != "select") return std::nullopt;
  std::size_t from = 0, where = 0, end = words->size();
  for (std::size_t i = 1; i < end; ++i) {
    const auto& text = (*words)[i].text;
    if (kNotSimple.contains(text) || text == "select") return std::nullopt;
    if (text == "from") {
      const bool compares = from != 0 && (*words)[i - 1].text == "distinct";  // IS DISTINCT FROM
      if (from != 0 && !compares) return std::nullopt;
      if (from == 0) from = i;
    } else if (text == "where") {
      if (from == 0 || where != 0) return std::nullopt;
      where = i;
    } else if (text == "order" && where != 0) {
      if (i + 1 == end || (*words)[i + 1].text != "by") return std::nullopt;
      for (std::size_t j = i; j < words->size(); ++j)
        if (kNotSimple.contains((*words)[j].text)) return std::nullopt;
      end = i;
    }
  }
  if (where == 0 || !are_joined(*words, from, where)) return std::nullopt;
  QueryParts parts{sql->substr(0, (*words)[where].begin), {}};
  std::size_t begin = (*words)[where].end;
  for (const auto& word : ands(*words, where + 1, end)) {
    parts.conditions.push_back(sql->substr(begin, word.begin - begin));
    begin = word.end;
  }
  const std::size_t last = end < words->size() ? (*words)[end].begin : sql->size();
  parts.conditions.push_back(sql->substr(begin, last - begin));
  return parts;
}

std::string without_condition(const QueryParts& parts, std::size_t left_out) {
  std::string query = parts.unconditional;
  std::string_view before = "WHERE";
  for (std::size_t i = 0; i < parts.conditions.size(); ++i) {
    if (i == left_out) continue;
    query += std::string(before) + parts.conditions[i];
    before = "AND";
  }
  return query;
}

}  // namespace surveybridge::crm
