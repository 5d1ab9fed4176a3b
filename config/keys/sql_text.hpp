// Reading SQL text as a database's own scanner does: where a literal, a quoted name or a comment
// ends. The checks of an operator's query and the placeholders of a statement both use it. Pure.
#pragma once

#include <cstddef>
#include <string_view>

namespace surveybridge::config {

// What one database's SQL has besides '…', "…", -- and /* */.
struct SqlSyntax {
  bool backslash_escapes = false;  // a backslash escapes within '…' and "…"
  bool escape_strings = false;     // E'…', in which a backslash escapes
  bool dollar_quotes = false;      // $$…$$ and $tag$…$tag$
  bool backquotes = false;         // `…`
  bool brackets = false;           // […]
  bool nested_comments = false;    // /* /* */ */
  bool hash_comments = false;      // # to the end of the line
  bool pipes_are_or = false;       // || is OR, unless the session's mode says otherwise
};

// The position behind the literal, quoted name or comment that begins at `at`; `at` itself where
// none begins. What has no end reaches to the end of the text.
std::size_t after_opaque(std::string_view sql, std::size_t at, const SqlSyntax& syntax);

bool is_comment(std::string_view sql, std::size_t at, const SqlSyntax& syntax);

// May this character be part of a name?
bool in_sql_name(char c);

}  // namespace surveybridge::config
