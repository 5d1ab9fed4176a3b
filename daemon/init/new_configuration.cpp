#include "daemon/init/new_configuration.hpp"

#include <algorithm>
#include <filesystem>
#include <sstream>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "connectors/crm/driver/connection_text.hpp"
#include "daemon/job/replaced.hpp"

namespace surveybridge::daemon {

namespace {

namespace fs = std::filesystem;
using config::Auth;
using config::Secret;

const std::pair<std::string_view, Secret::From> kForms[] = {
    {"file", Secret::From::file},
    {"env", Secret::From::env},
    {"credential", Secret::From::credential}};

std::string form_of(const Secret& secret) {
  const auto found =
      std::ranges::find(kForms, secret.from, [](const auto& form) { return form.second; });
  return found == std::end(kForms) ? "" : std::string(found->first);
}

// A basic string; `quotes` are one or, for several lines, three.
std::string in_quotes(std::string_view text, const std::string& quotes) {
  std::string out = quotes;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if ((byte < 0x20 || byte == 0x7f) && c != '\t' && (c != '\n' || quotes == "\"")) {
      out += fmt::format("\\u{:04X}", byte);
    } else {
      out += c;
    }
  }
  return out + quotes;
}

std::string toml_string(std::string_view text) {
  return in_quotes(text, "\"");
}

// A query over several lines begins on a line of its own: TOML leaves out the first line end. Its
// end may have one more, which the loader cuts.
std::string toml_query(const std::string& query) {
  if (query.find('\n') == std::string::npos) return toml_string(query);
  return in_quotes("\n" + query + "\n", "\"\"\"");
}

// With quotes where TOML needs them.
std::string toml_key(std::string_view name) {
  constexpr std::string_view kBare =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
  const bool bare = !name.empty() && name.find_first_not_of(kBare) == std::string_view::npos;
  return bare ? std::string(name) : toml_string(name);
}

std::string toml_secret(const Secret& secret) {
  const std::string form = form_of(secret), name = toml_string(secret.name);
  return form.empty() ? name : fmt::format("{{ {} = {} }}", form, name);
}

constexpr const char* kTemplate =
    R"(# The configuration of surveybridge. After a change: `surveybridge check`.
# Every setting: docs/CONFIG.md (installed in /usr/share/doc/surveybridge), or
# `man surveybridge.toml`.

[service]
base_url = {base_url}  # the survey service

[service.auth]
kind = "{kind}"  # oauth2, bearer, header, basic or none
{auth}
[crm]
connection = {connection}  # the CRM's database
time_zone = {time_zone}  # of timestamps without a zone

{store}
{notes}[push.{push}]
query = {query}
key = {key}  # names a transaction; each is sent once
when = {when}  # when it happened; an index on it helps
start = {start}  # nothing older is ever sent
# look_back = "7d"  # older rows are not found, even where start allows them
{correlate}
# [push.{push}.batch]
# ApproveAutomatically = true  # else a person approves each batch at the service

[push.{push}.customer]  # field of the service = column of the query
Email = {email}  # {{ column = ..., address = true }} takes the first of "Ann <a@x.test>; b@x.test"
TransactionDate = {when}

{data}[pull.customers]  # what comes back: status and answers
from = {start}
# by = ["LastActivityDate", "OptedOutDate"]  # with [suppress] opted_out, so that it sees each
{write}
# [pull.bouncers]  # addresses whose mail bounced
# look_back = "60d"

{suppress}# opted_out = true
# bounced = true  # needs [pull.bouncers]
# contact = {{ days = 90 }}  # at most one invitation a person
)";

constexpr const char* kNoStore =
    R"(# [store]  # the bridge's own tables, where the CRM may only be read
# connection = "sqlite3:///var/lib/surveybridge/store.db"
)";

std::string store_text(const NewSettings& settings) {
  if (!settings.store) return kNoStore;
  std::string text = "[store]  # the bridge's own tables\n";
  if (settings.store->connection.set())
    text += fmt::format("connection = {}\n", toml_secret(settings.store->connection));
  if (!settings.store->schema.empty())
    text += fmt::format("schema = {}\n", toml_string(settings.store->schema));
  return text;
}

std::string auth_text(const Auth& auth) {
  std::string text;
  for (const AuthField& field : auth_fields(auth.kind)) {
    std::string key = field.name;
    std::ranges::replace(key, '-', '_');
    const std::string value =
        field.secret != nullptr ? toml_secret(auth.*field.secret) : toml_string(auth.*field.text);
    const bool unset = field.question.empty() && field.secret == nullptr && value == "\"\"";
    if (!unset) text += fmt::format("{} = {}\n", key, value);
  }
  return text;
}

std::string data_text(const NewSettings& settings) {
  if (settings.data.empty() && settings.left_out.empty()) return "";
  std::string text =
      fmt::format("{}[push.{}.customer.Data]  # data column of the service = column of the query\n",
                  settings.data.empty() ? "# " : "", toml_key(settings.push));
  for (const MapLine& each : settings.data)
    text += fmt::format("{} = {}\n", toml_key(each.data_column), toml_string(each.column));
  for (const std::string& name : settings.left_out)
    text +=
        fmt::format("# {} = \"COLUMN\"  # the service has it, and gets nothing\n", toml_key(name));
  for (const std::string& name : settings.unused)
    text +=
        fmt::format("# FIELD = {}  # the query has it, and nothing uses it\n", toml_string(name));
  return text + "\n";
}

// Lines that are comments already stay as they are.
std::string as_comment(const std::string& text) {
  std::string comment;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    comment += (line.starts_with('#') ? "" : "# ") + line + "\n";
  return comment;
}

std::string suppress_text(const NewSettings& settings) {
  const SystemTemplate& system = settings.system;
  std::string text = "[suppress]  # whom no push may mail\n";
  if (!system.suppress.empty())
    text += fmt::format("query = {}  # {}\n", toml_query(system.suppress),
                        settings.knows_opt_outs ? "the opt-outs of " + system.title
                                                : "its table is not there, or may not be read");
  return settings.knows_opt_outs ? text : as_comment(text);
}

std::string write_text(const NewSettings& settings) {
  if (settings.system.write.empty()) return "";
  const std::string text =
      replaced(replaced(settings.system.write, "{column}",
                        settings.correlate.empty() ? "COLUMN" : settings.correlate),
               "{push}", settings.push);
  const std::string answer =
      "# An answer: COLUMN = \"Answers[QUESTION].SelectedScalePositions[0].Value\" in set; the "
      "table"
      " survey_question\n# has the questions once there are answers.\n";
  if (settings.write_problem.empty()) return "\n" + text + answer;
  return "\n" +
         as_comment("Cannot be written yet: " + settings.write_problem + ".\n" + text + answer);
}

void move_out(Secret& secret, const std::string& name, const std::string& config_file,
              std::vector<NewFile>& files) {
  if (secret.from != Secret::From::plain) return;
  const KeptSecret kept = kept_secret(config_file, name);
  files.push_back({kept.path, secret.name + "\n", kept.mode});
  secret = kept.reference;
}

}  // namespace

std::string configuration_text(const NewSettings& settings) {
  const std::string correlate =
      settings.correlate.empty() ? ""
                                 : fmt::format("correlate = {}  # carries the key at the service\n",
                                               toml_string(settings.correlate));
  return fmt::format(
      fmt::runtime(kTemplate), fmt::arg("base_url", toml_string(settings.base_url)),
      fmt::arg("kind", auth_word(settings.auth.kind)), fmt::arg("auth", auth_text(settings.auth)),
      fmt::arg("connection", toml_secret(settings.connection)),
      fmt::arg("time_zone", toml_string(settings.time_zone)),
      fmt::arg("store", store_text(settings)), fmt::arg("push", toml_key(settings.push)),
      fmt::arg("query", toml_query(settings.query)), fmt::arg("key", toml_string(settings.key)),
      fmt::arg("when", toml_string(settings.when)), fmt::arg("start", settings.start),
      fmt::arg("email", toml_string(settings.email)), fmt::arg("correlate", correlate),
      fmt::arg("data", data_text(settings)), fmt::arg("notes", as_comment(settings.system.notes)),
      fmt::arg("write", write_text(settings)), fmt::arg("suppress", suppress_text(settings)));
}

const std::vector<config::NamedValue<Auth::Kind>>& auth_kinds() {
  using Kind = Auth::Kind;
  static const std::vector<config::NamedValue<Kind>> kinds = {{"bearer", Kind::bearer},
                                                              {"oauth2", Kind::oauth2},
                                                              {"header", Kind::header},
                                                              {"basic", Kind::basic},
                                                              {"none", Kind::none}};
  return kinds;
}

std::string auth_word(Auth::Kind kind) {
  return std::ranges::find(auth_kinds(), kind, &config::NamedValue<Auth::Kind>::means)->word;
}

std::vector<AuthField> auth_fields(Auth::Kind kind) {
  using In = InitOptions;
  const AuthField token{"token", &In::token, nullptr, &Auth::token};
  switch (kind) {
    case Auth::Kind::none:
      break;
    case Auth::Kind::bearer:
      return {token};
    case Auth::Kind::header:
      return {{"header", &In::header, &Auth::header, nullptr, "Name of the header"}, token};
    case Auth::Kind::basic:
      return {{"user", &In::user, &Auth::user, nullptr, "User"},
              {"password", &In::password, nullptr, &Auth::password}};
    case Auth::Kind::oauth2:
      return {{"token-url", &In::token_url, &Auth::token_url, nullptr,
               "Address that gives tokens (https://…)"},
              {"client-id", &In::client_id, &Auth::client_id, nullptr, "Client's id"},
              {"client-secret", &In::client_secret, nullptr, &Auth::client_secret},
              {"scope", &In::scope, &Auth::scope}};
  }
  return {};
}

std::optional<Secret> secret_reference(std::string_view text) {
  const std::string_view form = text.substr(0, text.find(':'));
  const auto found = std::ranges::find(kForms, form, [](const auto& each) { return each.first; });
  if (found == std::end(kForms) || form == text) return std::nullopt;
  const std::string name(text.substr(form.size() + 1));
  const bool path = found->second == Secret::From::file && !name.empty();
  return Secret{found->second, path ? fs::absolute(name).string() : name};
}

bool is_writable_folder(const fs::path& folder) {
  std::error_code unknown;
  return fs::is_directory(folder, unknown) &&
         ::faccessat(AT_FDCWD, folder.c_str(), W_OK | X_OK, AT_EACCESS) == 0;
}

std::string reference_text(const Secret& secret) {
  return form_of(secret) + ":" + secret.name;
}

// The group of the folder "credentials" reads what is there, as the package has it.
KeptSecret kept_secret(const std::string& config_file, const std::string& name) {
  const fs::path file = fs::absolute(config_file);
  const std::string stem = file.stem().string();
  const fs::path folder = file.parent_path() / "credentials";
  std::error_code unknown;
  if (fs::is_directory(folder, unknown)) {
    const std::string whole = stem == "surveybridge" ? name : stem + "-" + name;
    return {{Secret::From::credential, whole}, (folder / whole).string(), 0640};
  }
  const std::string path = (file.parent_path() / (stem + "." + name)).string();
  return {{Secret::From::file, path}, path, 0600};
}

std::string proposed_store(const std::string& config_file) {
  const fs::path file = fs::absolute(config_file), state = "/var/lib/surveybridge";
  const std::string stem = file.stem().string();
  const fs::path own = stem == "surveybridge" ? state : state / stem;
  for (const fs::path& path : {own / "store.db", file.parent_path() / (stem + ".store.db")})
    if (is_writable_folder(path.parent_path())) return "sqlite3://" + path.string();
  return "";
}

std::vector<NewFile> move_secrets_out(NewSettings& settings, const std::string& config_file) {
  std::vector<NewFile> files;
  move_out(settings.auth.token, "token", config_file, files);
  move_out(settings.auth.password, "password", config_file, files);
  move_out(settings.auth.client_secret, "client-secret", config_file, files);
  if (crm::has_password(settings.connection.name))
    move_out(settings.connection, "crm-connection", config_file, files);
  if (settings.store && crm::has_password(settings.store->connection.name))
    move_out(settings.store->connection, "store-connection", config_file, files);
  return files;
}

}  // namespace surveybridge::daemon
