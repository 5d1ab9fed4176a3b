#include "daemon/init/toml_text.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "config/wording.hpp"

namespace surveybridge::daemon {

namespace {

using config::Secret;

// Within "…" or """…""".
std::string escaped(std::string_view text, bool many_lines) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if ((c == '\n' && many_lines) || c == '\t') {
      out += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      out += fmt::format("\\u{:04X}", byte);
    } else {
      out += c;
    }
  }
  return out;
}

// A literal string has no escapes: it holds no control character but these.
bool fits_literal(std::string_view text, std::string_view quotes, std::string_view allowed) {
  const auto strange = [&](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 || byte == 0x7f) && allowed.find(c) == std::string_view::npos;
  };
  return text.find(quotes) == std::string_view::npos && !text.ends_with('\'') &&
         std::none_of(text.begin(), text.end(), strange);
}

// A query over several lines begins on a line of its own: TOML leaves out the first line end. Its
// end may have one more, which the loader cuts.
std::string toml_query(const std::string& query) {
  if (query.find('\n') == std::string::npos) return toml_string(query);
  if (fits_literal(query, "'''", "\n\t")) return "'''\n" + query + "\n'''";
  return "\"\"\"\n" + escaped(query, true) + "\n\"\"\"";
}

std::string toml_secret(const Secret& secret) {
  switch (secret.from) {
    case Secret::From::credential:
      return "{ credential = " + toml_string(secret.name) + " }";
    case Secret::From::file:
      return "{ file = " + toml_string(secret.name) + " }";
    case Secret::From::env:
      return "{ env = " + toml_string(secret.name) + " }";
    case Secret::From::plain:
    case Secret::From::none:
      break;
  }
  return toml_string(secret.name);
}

// What stands on a line, and what it means.
std::string line(const std::string& text, std::string_view meaning) {
  constexpr std::size_t kMeaningAt = 38;
  return fmt::format("{:<{}}# {}\n", text + " ", kMeaningAt, meaning);
}

// A setting; a value of several lines says what it means by itself.
std::string setting(std::string_view key, const std::string& value, std::string_view meaning = "") {
  const std::string text = fmt::format("{} = {}", key, value);
  const bool alone = meaning.empty() || text.find('\n') != std::string::npos;
  return alone ? text + "\n" : line(text, meaning);
}

std::string auth_text(const config::Auth& auth) {
  using Kind = config::Auth::Kind;
  std::string text = "[service.auth]\n";
  const std::string meaning = "oauth2, bearer, header, basic or none";
  switch (auth.kind) {
    case Kind::none:
      return text + setting("kind", "\"none\"", meaning);
    case Kind::bearer:
      return text + setting("kind", "\"bearer\"", meaning) +
             setting("token", toml_secret(auth.token));
    case Kind::header:
      return text + setting("kind", "\"header\"", meaning) +
             setting("header", toml_string(auth.header)) +
             setting("token", toml_secret(auth.token));
    case Kind::basic:
      return text + setting("kind", "\"basic\"", meaning) +
             setting("user", toml_string(auth.user)) +
             setting("password", toml_secret(auth.password));
    case Kind::oauth2:
      break;
  }
  text += setting("kind", "\"oauth2\"", meaning) +
          setting("token_url", toml_string(auth.token_url)) +
          setting("client_id", toml_string(auth.client_id)) +
          setting("client_secret", toml_secret(auth.client_secret));
  return auth.scope.empty() ? text : text + setting("scope", toml_string(auth.scope));
}

std::string customer_text(const NewSettings& settings, const std::string& push) {
  std::string text =
      line(fmt::format("[{}.customer]", push), "field of the service = column of the query");
  if (!settings.email.empty()) text += setting("Email", toml_string(settings.email));
  text += setting("TransactionDate", toml_string(settings.when));
  if (settings.data.empty() && settings.left_out.empty()) return text;
  text += "\n" + line(fmt::format("{}[{}.customer.Data]", settings.data.empty() ? "# " : "", push),
                      "data column of the service = column of the query");
  for (const MapLine& each : settings.data)
    text += setting(toml_key(each.data_column), toml_string(each.column));
  for (const std::string& name : settings.left_out)
    text += line(fmt::format("# {} = \"COLUMN\"", toml_key(name)),
                 "the service has it, and gets nothing");
  for (const std::string& name : settings.unused)
    text += line(fmt::format("# FIELD = {}", toml_string(name)),
                 "the query has it, and nothing uses it");
  return text;
}

std::string push_text(const NewSettings& settings, const std::string& push) {
  std::string text = fmt::format("[{}]\n", push);
  text += setting("query", toml_query(settings.query));
  text += setting("key", toml_string(settings.key), "names a transaction; each is sent once");
  text += setting("when", toml_string(settings.when), "when it happened; an index on it helps");
  text += setting("start", settings.start, "nothing older is ever sent");
  text += line("# look_back = \"7d\"", "older rows are not found, even where start allows them");
  if (!settings.correlate.empty())
    text += setting("correlate", toml_string(settings.correlate), "carries the key at the service");
  text += fmt::format("\n# [{}.batch]\n", push);
  text += line("# ApproveAutomatically = true", "else a person approves each batch at the service");
  return text + "\n" + customer_text(settings, push);
}

}  // namespace

std::string toml_string(std::string_view text) {
  const bool plain = text.find_first_of("\"\\") == std::string_view::npos;
  if (!plain && fits_literal(text, "'", "\t")) return fmt::format("'{}'", text);
  return fmt::format("\"{}\"", escaped(text, false));
}

std::string toml_key(std::string_view name) {
  constexpr std::string_view kBare =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
  const bool bare = !name.empty() && name.find_first_not_of(kBare) == std::string_view::npos;
  return bare ? std::string(name) : toml_string(name);
}

std::string configuration_text(const NewSettings& settings) {
  std::string text =
      "# The configuration of surveybridge. After a change: `surveybridge check`.\n"
      "# Every setting: docs/CONFIG.md (installed in /usr/share/doc/surveybridge), or\n"
      "# `man surveybridge.toml`.\n\n[service]\n";
  text += setting("base_url", toml_string(settings.base_url), "the survey service") + "\n";
  text += auth_text(settings.auth);
  text +=
      "\n[crm]\n" + setting("connection", toml_secret(settings.connection), "the CRM's database");
  text +=
      setting("time_zone", toml_string(settings.time_zone), "of timestamps without a zone") + "\n";
  text += line("# [store]", "the bridge's own tables, where the CRM may only be read");
  text += "# connection = \"sqlite3:///var/lib/surveybridge/store.db\"\n\n";
  text += push_text(settings, "push." + toml_key(settings.push));
  text += "\n" + line("[pull.customers]", "what comes back: status and answers");
  text += setting("from", settings.start);
  text += "\n" + line("# [pull.bouncers]", "addresses whose mail bounced");
  text += "# look_back = \"60d\"\n";
  text += "\n" + line("# [suppress]", "whom no push may mail") + "# opted_out = true\n";
  text += line("# bounced   = true", "needs [pull.bouncers]");
  text += line("# contact   = { days = 90 }", "at most one invitation a person");
  return text;
}

}  // namespace surveybridge::daemon
