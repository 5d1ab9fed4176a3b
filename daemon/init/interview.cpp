#include "daemon/init/interview.hpp"

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include <date/tz.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "config/keys/kinds.hpp"
#include "config/keys/query.hpp"
#include "config/keys/url.hpp"
#include "config/keys/zone.hpp"
#include "connectors/crm/driver/connection_text.hpp"

namespace surveybridge::daemon {

namespace {

using config::Auth;
using config::Secret;

// The rule of the configuration that a text breaks; empty: none, and the value is stored.
template <class V>
Refused read_as(const config::Kind<V>& kind, const std::string& text, V& to) {
  std::vector<config::Problem> found;
  config::Node node;
  node.value = text;
  auto value = kind.read(node, config::Trail(found));
  if (!value) return Refusal{kUsage, found.front().rule};
  to = *std::move(value);
  return std::nullopt;
}

Refused take_kind(const std::string& text, Auth::Kind& to) {
  using Kind = Auth::Kind;
  return read_as(config::choice<Kind>({{"bearer", Kind::bearer},
                                       {"oauth2", Kind::oauth2},
                                       {"header", Kind::header},
                                       {"basic", Kind::basic},
                                       {"none", Kind::none}}),
                 text, to);
}

constexpr int kTablesShown = 40;

// What leads to the kind of authentication where a secret is asked for again. No service has it as
// a secret.
constexpr const char* kAnotherKind = "other";

constexpr const char* kStars = "***";  // in place of a password
constexpr const char* kConnections = "\"postgresql://…\", \"odbc://…\" or \"sqlite3://…\"";

// A path of SQLite becomes absolute: the daemon runs in another folder.
std::string complete_connection(const std::string& text) {
  namespace fs = std::filesystem;
  constexpr std::string_view kSqlite = "sqlite3://";
  std::error_code unknown;
  const bool scheme = text.find("://") != std::string::npos;
  if (!scheme && fs::is_regular_file(text, unknown))
    return std::string(kSqlite) + fs::absolute(text).string();
  if (!text.starts_with(kSqlite)) return text;
  const std::string path = text.substr(kSqlite.size());
  const bool relative =
      !path.empty() && path[0] != '/' && path[0] != ':' && path.find('=') == std::string::npos;
  return relative ? std::string(kSqlite) + fs::absolute(path).string() : text;
}

// May the text be shown again?
bool shows_no_password(const std::string& connection) {
  return !crm::has_password(connection) || connection.find(kStars) != std::string::npos;
}

// The name of a table alone is a query too, also one that the database wants in quotes.
std::string complete_query(const std::string& text, Trial& trial) {
  std::string name = text;
  while (name.ends_with(';'))
    name.pop_back();
  if (const auto quoted = trial.table(name)) return "SELECT * FROM " + *quoted;
  const bool one_word = !name.empty() && name.find_first_of(" \t\r\n(") == std::string::npos;
  return one_word ? "SELECT * FROM " + name : text;
}

// The time zone of this machine by its name in the zone database; UTC where it has none that the
// configuration takes.
std::string local_zone() {
  try {
    const std::string name = date::current_zone()->name();
    return config::is_zone(name) ? name : "UTC";
  } catch (const std::runtime_error&) {
    return "UTC";
  }
}

}  // namespace

void Interview::refuse(const std::string& option, const Refusal& refusal) {
  code_ = std::max(code_, refusal.code);
  problem_(option + ": " + refusal.why);
}

std::string Interview::ask(const Question& question) {
  if (question.form == Form::hidden) return dialogue_->ask_hidden(question.text, question.proposal);
  if (question.form == Form::lines && question.proposal.empty())
    return dialogue_->ask_lines(question.text);
  return dialogue_->ask(question.text, question.proposal);
}

// What is known without asking: the option, or the proposal where nobody is asked.
InitOptions::Text Interview::known(const Question& question, const Text& given) const {
  if (given || dialogue_ != nullptr || question.proposal.empty()) return given;
  return question.proposal;
}

// True: an answer was taken.
bool Interview::answer(const Question& question, const Text& given, const Take& take) {
  if (const Text text = known(question, given)) {
    const Refused refused = take(*text);
    if (!refused) return true;
    if (dialogue_ == nullptr) {
      refuse(question.option, *refused);
      return false;
    }
    dialogue_->say(question.option + ": " + refused->why);
  } else if (dialogue_ == nullptr) {
    refuse(question.option, {kUsage, "is required: " + question.text});
    return false;
  }
  for (;;) {
    const Refused refused = take(ask(question));
    if (!refused) return true;
    dialogue_->say("  " + refused->why);
  }
}

bool Interview::service() {
  const auto address = [&](const std::string& text) -> Refused {
    if (auto refused = read_as(config::base_url(), text, settings_.base_url)) return refused;
    return trial_.address(settings_.base_url);
  };
  const bool reached = answer({"--base-url", "Address of the survey service (https://…)", ""},
                              given_.base_url, address);
  if (!authentication(false)) return false;
  if (!reached) return false;
  for (;;) {
    const Refused refused = trial_.authentication(settings_);
    if (!refused) break;
    if (dialogue_ == nullptr) return refuse("--auth", *refused), false;
    dialogue_->say("  " + refused->why);
    ask_again();
  }
  if (dialogue_ != nullptr)
    dialogue_->say("  the service answers; it has " + std::to_string(trial_.data_columns().size()) +
                   " data columns");
  return true;
}

// The service has refused: a secret is typed wrong sooner than its kind is.
void Interview::ask_again() {
  Auth& auth = settings_.auth;
  const auto again = [&](const char* name, Secret& to) {
    another_kind_ = false;
    retries_secret_ = true;
    secret(name, std::nullopt, to);
    retries_secret_ = false;
    if (another_kind_) authentication(true);
  };
  switch (auth.kind) {
    case Auth::Kind::none:
      authentication(true);
      break;
    case Auth::Kind::header:
    case Auth::Kind::bearer:
      again("token", auth.token);
      break;
    case Auth::Kind::basic:
      again("password", auth.password);
      break;
    case Auth::Kind::oauth2:
      token_url({}, auth.token_url);
      again("client-secret", auth.client_secret);
      break;
  }
}

// `proposed`: what Enter takes.
bool Interview::token_url(const Text& given, const std::string& proposed) {
  return answer({"--token-url", "Address that gives tokens (https://…)", proposed}, given,
                [&](const auto& text) {
                  return read_as(config::token_url(), text, settings_.auth.token_url);
                });
}

// `again`: the options did not work, so they are asked for.
bool Interview::authentication(bool again) {
  const auto option = [&](const Text& text) { return again ? Text() : text; };
  Auth& auth = settings_.auth;
  if (!answer({"--auth", "Authentication (bearer, oauth2, header, basic, none)", "bearer"},
              option(given_.auth), [&](const auto& text) { return take_kind(text, auth.kind); }))
    return false;
  // All of them, so that every problem is reported.
  bool good = true;
  const auto need = [&](bool answered) { good = good && answered; };
  const auto need_text = [&](const Question& question, const Text& given, std::string& to) {
    need(answer(question, option(given), [&](const std::string& text) {
      return read_as(config::name("a name"), text, to);
    }));
  };
  const auto need_secret = [&](const char* name, const Text& given, Secret& to) {
    need(secret(name, option(given), to));
  };
  switch (auth.kind) {
    case Auth::Kind::none:
      break;
    case Auth::Kind::header:
      need_text({"--header", "Name of the header", "X-Api-Key"}, given_.header, auth.header);
      [[fallthrough]];
    case Auth::Kind::bearer:
      need_secret("token", given_.token, auth.token);
      break;
    case Auth::Kind::basic:
      need_text({"--user", "User", ""}, given_.user, auth.user);
      need_secret("password", given_.password, auth.password);
      break;
    case Auth::Kind::oauth2:
      need(token_url(option(given_.token_url), ""));
      need_text({"--client-id", "Client's id", ""}, given_.client_id, auth.client_id);
      need_secret("client-secret", given_.client_secret, auth.client_secret);
      auth.scope = given_.scope.value_or("");
      break;
  }
  return good;
}

// Only a person types a secret: a command line is seen by everybody on the machine.
bool Interview::secret(const std::string& name, const Text& given, Secret& to) {
  const std::string path = path_of(place_, name);
  std::error_code unknown;
  const bool there = std::filesystem::exists(path, unknown);
  const bool asks = dialogue_ != nullptr;
  // A secret that was refused is not proposed again.
  const std::string proposal =
      there && !retries_secret_ ? reference_text(kept_secret(place_, name)) : "";
  const std::string way_out = retries_secret_ ? std::string("; \"") + kAnotherKind +
                                                    "\" asks for the kind of authentication"
                                              : "";
  const Question question{
      "--" + name,
      asks ? "The " + name + " (not shown; or file:PATH, env:NAME, credential:NAME" + way_out + ")"
           : "where it is: file:PATH, env:NAME or credential:NAME",
      proposal, Form::hidden};
  const bool from_option = given.has_value();
  bool first = true;
  const auto take = [&](const std::string& text) -> Refused {
    another_kind_ = retries_secret_ && text == kAnotherKind;
    if (another_kind_) return std::nullopt;
    const bool typed = asks && !(from_option && first);
    first = false;
    const auto reference = secret_reference(text);
    if (!reference && !typed)
      return Refusal{kUsage,
                     "is a secret: write file:PATH, env:NAME or credential:NAME, never the text"};
    if (!reference && there && !given_.force)
      return Refusal{kUsage, path + " is there already; --force replaces it"};
    const Secret chosen = reference.value_or(Secret{Secret::From::plain, text});
    const auto read = config::read(chosen);
    if (const auto* unreadable = std::get_if<config::Unreadable>(&read))
      return Refusal{kConfiguration, unreadable->why};
    to = chosen;
    return std::nullopt;
  };
  return answer(question, given, take);
}

// A password is typed on its own, without being shown, and takes the place of "***".
Refused Interview::take_connection(const std::string& text, bool typed) {
  Secret connection{Secret::From::plain, complete_connection(text)};
  if (const auto reference = secret_reference(text)) {
    connection = *reference;
  } else if (!typed && crm::has_password(text) && text.find(kStars) == std::string::npos) {
    return Refusal{kUsage,
                   "holds a password, and everybody on this machine sees a command line: write "
                   "file:PATH, env:NAME or credential:NAME of the whole text"};
  } else if (connection.name.find(kStars) != std::string::npos) {
    if (dialogue_ == nullptr)
      return Refusal{
          kUsage,
          "has *** in place of a password, and without a terminal nobody can be asked for it: "
          "write file:PATH, env:NAME or credential:NAME of the whole text"};
    connection.name = crm::with_password(std::move(connection.name),
                                         dialogue_->ask_hidden("The password (not shown)", ""));
  }
  const std::string& name = connection.name;
  const bool known = connection.from != Secret::From::plain || name.starts_with("postgresql://") ||
                     name.starts_with("postgres://") || name.starts_with("odbc://") ||
                     name.starts_with("sqlite3://");
  if (!known) return Refusal{kUsage, fmt::format("must be {}", kConnections)};
  const std::string kept = path_of(place_, "crm-connection");
  std::error_code unknown;
  if (crm::has_password(name) && connection.from == Secret::From::plain && !given_.force &&
      std::filesystem::exists(kept, unknown))
    return Refusal{kUsage, kept + " is there already; --force replaces it"};
  settings_.connection = connection;
  return trial_.database(connection, settings_.time_zone);
}

// Sessions of the database have this zone, so it is known before the first one.
bool Interview::zone() {
  return answer({"--time-zone", "The time zone of the CRM's clock", local_zone()}, given_.time_zone,
                [&](const std::string& text) { return set("time-zone", text); });
}

bool Interview::database() {
  const std::string password =
      dialogue_ != nullptr ? "; *** in place of a password, which is asked for then" : "";
  Question question{"--connection", std::string("The CRM's database: ") + kConnections + password,
                    ""};
  bool typed = !given_.connection;
  const auto take = [&](const std::string& text) {
    const Refused refused = take_connection(text, typed);
    typed = true;
    // What the database refused may differ in the password alone, or be right a minute later.
    if (refused && refused->code != kUsage && shows_no_password(text)) question.proposal = text;
    return refused;
  };
  const bool done = answer(question, given_.connection, take);
  if (done && dialogue_ != nullptr) dialogue_->say("  connected");
  return done;
}

// What there is to choose from.
void Interview::show_tables() {
  if (dialogue_ == nullptr || !trial_.has_database()) return;
  auto names = trial_.tables(kTablesShown + 1);
  const bool more = names.size() > kTablesShown;
  if (more) names.pop_back();
  if (!names.empty())
    dialogue_->say(
        fmt::format("  its tables and views: {}{}", fmt::join(names, ", "), more ? ", …" : ""));
}

bool Interview::query(const Text& given) {
  if (!given) show_tables();
  const auto take = [&](const std::string& text) -> Refused {
    if (auto refused = read_as(config::query(), complete_query(text, trial_), settings_.query))
      return refused;
    if (!trial_.has_database()) return std::nullopt;
    auto refused = trial_.query(settings_.query);
    if (refused && settings_.query != text) refused->why += trial_.similar_table(text);
    return refused;
  };
  const std::string end = dialogue_ != nullptr ? " (it ends with ; or an empty line)" : "";
  return answer({"--query", "The transactions: a table, or a query" + end, "", Form::lines}, given,
                take);
}

std::optional<NewSettings> Interview::ask_all() {
  const bool chosen = choose();
  if (!chosen && dialogue_ != nullptr) return std::nullopt;
  const bool with_service = service();
  const bool with_zone = zone();
  const bool with_database = database();
  const bool with_query = query(given_.query);
  if (!with_database || !with_query) return std::nullopt;
  const bool fits = accept();  // what fits the query can be said without the service, too
  return chosen && with_service && with_zone && fits ? std::optional(settings_) : std::nullopt;
}

}  // namespace surveybridge::daemon
