// Reading SQL text as a database's own scanner does: its words and signs, and where a literal, a
// quoted name or a comment ends. What takes a statement apart uses it. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

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

struct SqlToken {
  enum class Kind {
    sign,  // one character, || or :=
    word,  // a name without quotes, a word of SQL, digits
    quoted,
    comment,
  };
  Kind kind = Kind::sign;
  // What is quoted, or a comment, and has no end reaches to the end of the text.
  std::size_t begin = 0, end = 0;
  // How many of ( [ { are open behind it; below 0: more were closed than opened.
  int depth = 0;
  // Of a sign or word, in small letters; empty for a word before or behind a dot.
  std::string text = {};
};

std::vector<SqlToken> sql_tokens(std::string_view sql, const SqlSyntax& syntax);

// May this character be part of a name?
bool in_sql_name(char c);

}  // namespace surveybridge::config
