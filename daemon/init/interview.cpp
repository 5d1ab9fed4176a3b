// The questions of `init`: about the service, the database, the query and its columns.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <utility>

#include <date/tz.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "config/clock.hpp"
#include "config/keys/kinds.hpp"
#include "config/keys/query.hpp"
#include "config/sections/load.hpp"
#include "config/text.hpp"
#include "config/toml/node.hpp"
#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/driver/connection_text.hpp"
#include "connectors/crm/pulled/catalog.hpp"
#include "connectors/crm/pulled/pull_store.hpp"
#include "connectors/crm/source/moving_dates.hpp"
#include "connectors/crm/source/own_zone.hpp"
#include "connectors/crm/source/source.hpp"
#include "connectors/crm/source/source_sql.hpp"
#include "connectors/service/api.hpp"
#include "daemon/commands/check_database.hpp"
#include "daemon/commands/command_context.hpp"
#include "daemon/context/job_context.hpp"
#include "daemon/init/dialogue.hpp"
#include "daemon/init/init.hpp"
#include "daemon/init/new_configuration.hpp"
#include "daemon/init/proposal.hpp"
#include "daemon/init/system_template.hpp"
#include "daemon/init/zone_note.hpp"
#include "daemon/job/fault.hpp"
#include "daemon/push/push_plan.hpp"
#include "daemon/runtime/real_environment.hpp"
#include "mapping/values/dates.hpp"
#include "mapping/values/text.hpp"

namespace surveybridge::daemon {

namespace {

using config::Auth;
using config::Secret;

constexpr std::chrono::seconds kTimeout{20};  // a person waits
constexpr int kTablesShown = 40;
constexpr int kTablesTried = 2'000;  // a statement or two for each
constexpr int kTablesLooked = 10'000;
constexpr const char* kStars = "***";  // in place of a password

bool is_a_file(const std::string& path) {
  std::error_code unknown;
  return std::filesystem::exists(path, unknown);
}

// May the text be shown again?
bool shows_no_password(const std::string& connection) {
  return !crm::has_password(connection) || connection.find(kStars) != std::string::npos;
}

// Of letters that a name may have without quotes. It may still be a word of SQL.
bool is_plain(const std::string& table) {
  return std::ranges::all_of(table,
                             [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

// "public"."orders" as `key_column` takes it.
std::string without_quotes(std::string name) {
  std::erase_if(name, [](char c) { return c == '"' || c == '`'; });
  return name;
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

constexpr std::chrono::days kLookBack{7};  // as far back as a push looks

// "2026-11-15", from 1970 on. It goes into the file without quotes.
bool is_day(const std::string& text) {
  if (text.size() != std::string_view("2026-11-15").size()) return false;
  const auto read = config::read_toml("start = " + text, "start");
  const auto* root = std::get_if<config::Node>(&read);
  const auto* table = root == nullptr ? nullptr : root->as<config::Node::Table>();
  const config::Entry* entry = table == nullptr ? nullptr : config::find(*table, "start");
  const auto* date = entry == nullptr ? nullptr : entry->node.as<config::Date>();
  return date != nullptr && date->local.time_since_epoch().count() >= 0;
}

// The columns that hold dates, for whoever chooses one.
std::string text_of_dates(const Columns& columns) {
  using Kind = crm::ColumnKind;
  std::vector<std::string> names;
  for (const crm::Column& column : columns)
    if (column.kind == Kind::instant || column.kind == Kind::local_time ||
        column.kind == Kind::date)
      names.push_back(column.name);
  if (names.empty()) return "";
  return fmt::format(" (the query has the dates {}; not one that each change of the row moves)",
                     fmt::join(names, ", "));
}

// The template that "NAME" or "NAME:PREFIX" means; null: none.
const SystemTemplate* named_system(const std::string& text) {
  const auto found =
      std::ranges::find(system_templates(), text.substr(0, text.find(':')), &SystemTemplate::name);
  return found == system_templates().end() ? nullptr : &*found;
}

// An option that is given is not asked about. Each answer is tried at once, and asked for again
// where it does not work. Without a person every problem is reported in one run. Changes nothing at
// the service or in the database.
class Interview {
 public:
  // `dialogue` null: nobody is asked, and problems go to standard error.
  Interview(const InitOptions& given, Dialogue* dialogue) : given_(given), dialogue_(dialogue) {
    settings_.auth.header = "X-Api-Key";
    settings_.push = given_.push.value_or(settings_.push);
  }

  std::optional<NewSettings> ask_all() {
    bool good = read_map();
    if (!good && dialogue_ != nullptr) return std::nullopt;
    good = service() && good;
    if (given_.time_zone) good = zone() && good;
    const bool has_database = database();
    good = store_place() && good;
    const bool has_system = known_system();
    good = has_system && good;
    const bool zone_known = given_.time_zone || !settings_.system.time_zone.empty();
    if (!zone_known) good = zone() && good;
    const bool has_query = (has_system || given_.query) && query();
    if (has_database || given_.start) good = start() && good;
    if (!has_database || !has_query) return std::nullopt;
    good = columns() && good;  // what fits the query can be said without the service, too
    if (good) try_write();
    return good ? std::optional(settings_) : std::nullopt;
  }

  ExitCode code() const { return code_; }  // of the worst problem

 private:
  using Text = InitOptions::Text;
  // Why an answer cannot be used.
  struct Refusal {
    ExitCode code;
    std::string why;
    bool at_address = false;  // the service's address is wrong, whoever asks
  };
  using Refused = std::optional<Refusal>;  // empty: the answer works
  // Tries an answer, and keeps it where it works. `typed`: by a person just now.
  using Take = std::function<Refused(const std::string& text, bool typed)>;
  struct Question {
    std::string option, text;
    std::string proposal = {};
    Answered how = Answered::in_a_line;
  };

  void refuse(const std::string& option, const Refusal& refusal) {
    code_ = std::max(code_, refusal.code);
    say_or_report(option + ": " + refusal.why);
  }

  void say_or_report(const std::string& text) const {
    if (dialogue_ != nullptr) {
      dialogue_->say("  " + text);
    } else {
      report_error("init: " + text);
    }
  }

  static Refusal refusal_of(const crm::DatabaseError& error) {
    const bool later = error.kind == crm::DatabaseError::Kind::connection ||
                       error.kind == crm::DatabaseError::Kind::busy;
    return {later ? kUnreachable : kConfiguration, error.what()};
  }

  // The rule of the configuration that a text breaks; without one the value is stored.
  template <class V>
  static Refused store(const config::Kind<V>& kind, const std::string& text, V& to) {
    std::vector<config::Problem> found;
    config::Node node;
    node.value = text;
    auto value = kind.read(node, config::Trail(found));
    if (!value) return Refusal{kUsage, found.front().rule};
    to = *std::move(value);
    return std::nullopt;
  }

  // What a person can do without: empty where the database does not tell.
  template <class Ask>
  static auto if_it_tells(const Ask& ask) -> decltype(ask()) {
    try {
      return ask();
    } catch (const crm::DatabaseError&) {
      return {};
    }
  }

  void tell(const std::string& text) const {
    if (dialogue_ != nullptr) dialogue_->say("  " + text);
  }

  // The same where nobody is asked: then it stands behind the names of the files.
  void note(const std::string& text) {
    tell(text);
    if (dialogue_ == nullptr) settings_.notes.push_back(text);
  }

  // True: an answer was taken. Where nobody is asked the proposal is one.
  bool answer(const Question& question, const Text& given, const Take& take) {
    const bool asks = dialogue_ != nullptr;
    const bool proposed = !given && !asks && !question.proposal.empty();
    const Text known = proposed ? Text(question.proposal) : given;
    Refused refused = Refusal{kUsage, "is required: " + question.text};
    if (known) refused = take(*known, false);
    if (!refused) return true;
    if (known || !asks) refuse(question.option, *refused);
    if (!asks) return false;
    while ((refused = take(dialogue_->ask(question.text, question.proposal, question.how), true)))
      dialogue_->say("  " + refused->why);
    return true;
  }

  bool address(const Text& given) {
    const auto take = [&](const std::string& text, bool) -> Refused {
      if (auto refused = store(config::base_url(), text, settings_.base_url)) return refused;
      return try_service({}, true);
    };
    return answer({"--base-url", "Address of the survey service (https://…)"}, given, take);
  }

  bool service() {
    const bool reached = address(given_.base_url);
    if (!authentication(false) || !reached) return false;
    while (const Refused refused = try_service(settings_.auth, false)) {
      if (dialogue_ == nullptr) {
        refuse(refused->at_address ? "--base-url" : "--auth", *refused);
        return false;
      }
      dialogue_->say("  " + refused->why);
      if (refused->at_address)
        address(std::nullopt);
      else
        authentication(true);
    }
    tell(fmt::format("the service answers; it has {} data columns",
                     std::ranges::count(data_columns_, false, &mapping::DataColumn::archived)));
    return true;
  }

  // Fetches the data columns. `only_address`: that the service asks for credentials is an answer
  // too.
  Refused try_service(const Auth& auth, bool only_address) {
    using Trouble = service::Trouble;
    auto credentials = service::Credentials::make(auth);
    if (const auto* why = std::get_if<std::string>(&credentials))
      return Refusal{kConfiguration, *why};
    config::Settings settings;
    settings.service.base_url = settings_.base_url;
    settings.service.auth = auth;
    settings.service.timeout = kTimeout;
    const auto transport = environment_of(settings, {}, nullptr).open_transport();
    service::Api api(settings.service, *transport,
                     *std::get<std::unique_ptr<service::Credentials>>(credentials));
    const auto found = api.data_columns(system_now());
    if (const auto* trouble = std::get_if<Trouble>(&found)) {
      const bool asks_who =
          trouble->kind == Trouble::Kind::unauthorized || trouble->kind == Trouble::Kind::forbidden;
      if (only_address && asks_who) return std::nullopt;
      return Refusal{is_temporary(fault_of(trouble->kind)) ? kUnreachable : kConfiguration,
                     std::string(to_string(trouble->kind)) + ": " + trouble->detail,
                     trouble->kind == Trouble::Kind::misplaced};
    }
    if (!only_address)
      data_columns_ = mapping::to_data_columns(std::get<std::vector<mapping::Record>>(found));
    return std::nullopt;
  }

  // `again`: the service has refused, so all of it is asked for; what was typed is proposed.
  bool authentication(bool again) {
    Auth& auth = settings_.auth;
    const auto take_kind = [&](const std::string& text, bool) {
      return store(config::choice(auth_kinds()), text, auth.kind);
    };
    if (!answer({"--auth", "Authentication (bearer, oauth2, header, basic, none)",
                 again ? auth_word(auth.kind) : "bearer"},
                again ? Text() : given_.auth, take_kind))
      return false;
    bool good = true;
    for (const AuthField& field : auth_fields(auth.kind)) {
      const Text given = again ? Text() : given_.*field.given;
      if (field.secret != nullptr) {
        good = secret(field.name, given, again, auth.*field.secret) && good;
        continue;
      }
      std::string& to = auth.*field.text;
      const auto take = [&](const std::string& text, bool) {
        return store(field.name == "token-url" ? config::token_url() : config::name("a name"), text,
                     to);
      };
      if (field.question.empty() && !given) continue;
      good = answer({"--" + field.name, field.question, to}, given, take) && good;
    }
    return good;
  }

  // Only a person types a secret: a command line is seen by everybody on the machine. A secret that
  // was refused (`again`) is not proposed.
  bool secret(const std::string& name, const Text& given, bool again, Secret& to) {
    const KeptSecret kept = kept_secret(given_.file, name);
    const bool there = is_a_file(kept.path);
    const Question question{
        "--" + name,
        dialogue_ != nullptr
            ? "The " + name + " (not shown; or file:PATH, env:NAME, credential:NAME)"
            : "where it is: file:PATH, env:NAME or credential:NAME",
        there && !again ? reference_text(kept.reference) : "", Answered::hidden};
    const auto take = [&](const std::string& text, bool typed) -> Refused {
      const auto reference = secret_reference(text);
      if (!reference && !typed)
        return Refusal{kUsage,
                       "is a secret: write file:PATH, env:NAME or credential:NAME, never the text"};
      if (!reference && there && !given_.force)
        return Refusal{kUsage, kept.path + " is there already; --force replaces it"};
      const Secret chosen = reference.value_or(Secret{Secret::From::plain, text});
      const auto read = config::read(chosen);
      if (const auto* unreadable = std::get_if<config::Unreadable>(&read))
        return Refusal{kConfiguration, unreadable->why};
      to = chosen;
      return std::nullopt;
    };
    return answer(question, given, take);
  }

  bool zone() {
    const auto take = [&](const std::string& text, bool) -> Refused {
      if (!config::is_zone(text))
        return Refusal{kUsage, "unknown time zone " + config::quoted(text) +
                                   config::suggestion(text, config::zones())};
      return use_zone(text);
    };
    return answer({"--time-zone", "The time zone of the CRM's clock", local_zone()},
                  given_.time_zone, take);
  }

  // A session of the database has the zone with which it was opened: UTC until one is known.
  Refused use_zone(const std::string& zone) {
    const std::string before = std::exchange(settings_.time_zone, zone);
    if (zone == before || database_ == nullptr) return std::nullopt;
    auto session = std::move(database_);
    auto refused = try_database(settings_.connection);
    if (refused) {
      settings_.time_zone = before;
      database_ = std::move(session);
    }
    return refused;
  }

  bool database() {
    Question question{"--connection",
                      "The CRM's database: \"postgresql://…\", \"odbc://…\" (MariaDB, MySQL) or"
                      " \"sqlite3://…\""};
    if (dialogue_ != nullptr)
      question.text += "; *** in place of a password, which is asked for then";
    if (const KeptSecret kept = kept_secret(given_.file, "crm-connection"); is_a_file(kept.path))
      question.proposal = reference_text(kept.reference);
    const auto take = [&](const std::string& text, bool typed) {
      Refused refused = take_connection(text, typed);
      // What the database refused may differ in the password alone, or be right a minute later.
      if (refused && refused->code != kUsage && shows_no_password(text)) question.proposal = text;
      return refused;
    };
    const bool done = answer(question, given_.connection, take);
    if (done) tell("connected");
    return done;
  }

  Refused take_connection(const std::string& text, bool typed) {
    if (auto refused = read_connection(text, typed, "crm-connection", settings_.connection))
      return refused;
    return try_database(settings_.connection);
  }

  // A password is typed on its own, without being shown, and takes the place of "***". `name`: of
  // the file that will have it.
  Refused read_connection(const std::string& text, bool typed, const std::string& name,
                          Secret& to) {
    const auto reference = secret_reference(text);
    Secret connection = reference.value_or(Secret{Secret::From::plain, crm::with_whole_path(text)});
    if (!reference) {
      const bool starred = text.find(kStars) != std::string::npos;
      const std::string way = ": write file:PATH, env:NAME or credential:NAME of the whole text";
      if (!typed && !starred && crm::has_password(text))
        return Refusal{kUsage,
                       "holds a password, and everybody on this machine sees a command line" + way};
      if (starred && dialogue_ == nullptr)
        return Refusal{kUsage,
                       "has *** in place of a password, and without a terminal nobody can be asked"
                       " for it" +
                           way};
      if (starred)
        connection.name = crm::with_password(
            connection.name, dialogue_->ask("The password (not shown)", "", Answered::hidden));
      try {
        crm::parse_connection(connection.name);
      } catch (const crm::DatabaseError& error) {
        return Refusal{kUsage, error.what()};
      }
      const std::string kept = kept_secret(given_.file, name).path;
      if (crm::has_password(connection.name) && !given_.force && is_a_file(kept))
        return Refusal{kUsage, kept + " is there already; --force replaces it"};
    }
    to = connection;
    return std::nullopt;
  }

  Refused try_database(const Secret& connection) {
    database_.reset();
    const auto text = config::read(connection);
    if (const auto* unreadable = std::get_if<config::Unreadable>(&text))
      return Refusal{kConfiguration, unreadable->why};
    config::Settings settings;
    settings.crm.time_zone = settings_.time_zone;
    try {
      auto opened = environment_of(settings, {std::get<std::string>(text)}, nullptr, Purpose::look)
                        .open_database();
      opened->now();
      database_ = std::move(opened);
      return std::nullopt;
    } catch (const crm::DatabaseError& error) {
      return Refusal{kUnreachable, error.what()};
    }
  }

  // Why the bridge's own tables cannot be in the CRM's database, a sentence; empty: they can, or
  // the database does not tell.
  std::string why_not_in_crm() {
    try {
      const auto missing = missing_rights(*database_);
      return missing.empty() ? "" : missing.front();
    } catch (const crm::DatabaseError& error) {
      return error.kind == crm::DatabaseError::Kind::other ? error.what() : "";
    }
  }

  // Where nobody is asked and no place is found the tables stay in the CRM's database: `check` says
  // at the end what an administrator types.
  bool store_place() {
    if (database_ == nullptr && !given_.store) return true;
    Question question{"--store",
                      "Where the bridge's own tables are: crm, schema:NAME, or another database",
                      "crm"};
    const std::string why = database_ == nullptr ? "" : why_not_in_crm();
    if (!why.empty()) {
      if (!given_.store) note("the CRM's database: " + why);
      question.proposal = proposed_store(given_.file);
      if (question.proposal.empty() && dialogue_ == nullptr) question.proposal = "crm";
    }
    if (!answer(question, given_.store,
                [&](const std::string& text, bool typed) { return take_store(text, typed); }))
      return false;
    if (!why.empty() && !given_.store && settings_.store && dialogue_ == nullptr)
      note("the bridge's own tables will be in " + question.proposal +
           " (--store sets another place)");
    return true;
  }

  // The CRM's database is taken, too, where a right is missing: somebody may grant it later.
  Refused take_store(const std::string& text, bool typed) {
    constexpr std::string_view kSchema = "schema:";
    settings_.store.reset();
    if (text == "crm") return std::nullopt;
    config::Store place;
    if (text.starts_with(kSchema)) {
      place.schema = text.substr(kSchema.size());
      if (!config::is_name(place.schema))
        return Refusal{kUsage, "must be schema:NAME, got " + config::quoted(text)};
    } else if (auto refused = read_connection(text, typed, "store-connection", place.connection)) {
      return refused;
    }
    const Secret &of_crm = settings_.connection, &chosen = place.connection;
    const bool is_crm = chosen.from == of_crm.from && chosen.name == of_crm.name;
    if (is_crm && chosen.set()) return std::nullopt;
    if (auto refused = try_store(place)) return refused;
    settings_.store = std::move(place);
    return std::nullopt;
  }

  // Makes nothing: of a file that is not there yet its folder is tried. Without the CRM's database
  // a schema of it cannot be tried.
  Refused try_store(const config::Store& place) {
    if (database_ == nullptr && !place.connection.set()) return std::nullopt;
    config::Settings settings;
    settings.crm.time_zone = settings_.time_zone;
    settings.crm.connection = database_ == nullptr ? place.connection : settings_.connection;
    settings.store = place;
    const auto read = read_connections(settings);
    if (const auto* problem = std::get_if<std::string>(&read))
      return Refusal{kConfiguration, *problem};
    const auto& texts = std::get<Connections>(read);
    const auto path = crm::database_file(texts.store);
    if (!path.empty() && !is_a_file(path.string()) && is_writable_folder(path.parent_path()))
      return std::nullopt;
    try {
      const auto opened = environment_of(settings, texts, nullptr, Purpose::look).open_database();
      const auto missing = missing_rights(*opened);
      return missing.empty() ? Refused() : Refusal{kConfiguration, missing.front()};
    } catch (const crm::DatabaseError& error) {
      return refusal_of(error);
    }
  }

  // A template answers what no option does. Without a query one is proposed, by the tables.
  bool known_system() {
    if (!given_.system && (given_.query || database_ == nullptr)) return true;
    const auto listed = database_ == nullptr ? std::vector<std::string>() : tables(kTablesLooked);
    std::vector<std::string> fitting;
    for (const SystemTemplate& each : system_templates()) {
      const auto prefixes = prefixes_of(each, listed);
      for (const std::string& prefix : prefixes)
        fitting.push_back(prefixes.size() == 1 ? each.name : each.name + ":" + prefix);
    }
    if (!given_.system && fitting.empty()) return true;
    const auto take = [&](const std::string& text, bool) { return take_system(text, listed); };
    return answer({"--template",
                   fmt::format("A template, by the tables that are there ({}), or none",
                               fmt::join(fitting, ", ")),
                   fitting.size() == 1 ? fitting.front() : ""},
                  given_.system, take);
  }

  Refused take_system(const std::string& text, const std::vector<std::string>& listed) {
    if (text == "none") return std::nullopt;
    const auto colon = text.find(':');
    const SystemTemplate* found = named_system(text);
    if (found == nullptr)
      return Refusal{kUsage, fmt::format("must be none or {}, got {}",
                                         config::listed(template_names()), config::quoted(text))};
    auto prefixes = prefixes_of(*found, listed);
    if (database_ == nullptr)
      prefixes = {colon == std::string::npos ? "" : text.substr(colon + 1)};
    else if (colon != std::string::npos)
      std::erase_if(prefixes, [&](const auto& each) { return each != text.substr(colon + 1); });
    const auto written = [&](const std::vector<std::string>& some) {
      std::vector<std::string> all;
      for (const auto& prefix : some)
        all.push_back(config::quoted(found->name + ":" + prefix));
      return fmt::format("{}", fmt::join(all, " or "));
    };
    if (prefixes.empty()) {
      const auto others = prefixes_of(*found, listed);
      return Refusal{kConfiguration,
                     fmt::format("the database has not all tables of {}{}: {}{}", found->title,
                                 colon == std::string::npos ? "" : " with this prefix",
                                 fmt::join(found->tables, ", "),
                                 others.empty() ? "" : ". They are there as " + written(others))};
    }
    if (prefixes.size() > 1)
      return Refusal{kUsage,
                     fmt::format("the tables of {} are there with several prefixes: write {}",
                                 found->title, written(prefixes))};
    return use_system(with_prefix(*found, prefixes.front()));
  }

  Refused use_system(SystemTemplate system) {
    const std::string zone = system.time_zone;
    if (!given_.time_zone && !zone.empty())
      if (auto refused = use_zone(zone)) return refused;
    const auto fill = [](Text& option, const std::string& text) {
      if (!option) option = text;
    };
    fill(given_.query, system.query);
    fill(given_.key, system.key);
    fill(given_.when, system.when);
    fill(given_.email, system.email);
    if (!given_.push) settings_.push = system.push;
    settings_.system = std::move(system);
    if (database_ == nullptr) return std::nullopt;
    settings_.knows_opt_outs = works(settings_.system.suppress);
    tell(fmt::format("the query and its columns are those of {}; its clock is {}",
                     settings_.system.title,
                     zone.empty() ? "that of where it runs" : "in " + settings_.time_zone));
    if (!settings_.system.needs.empty() && finds_nothing(settings_.system.needs))
      note(settings_.system.else_says);
    return std::nullopt;
  }

  bool works(const std::string& query) {
    return if_it_tells([&] {
      database_->query(crm::shape_of_query(database_->dialect(), query));
      return true;
    });
  }

  // As the daemon will read it.
  void try_write() {
    if (settings_.system.write.empty() || database_ == nullptr) return;
    std::vector<std::string> problems;
    if (settings_.correlate.empty())
      problems.emplace_back("no data column of the service carries the key");
    settings_.write_problem.clear();
    const auto read = config::parse_in_parts(configuration_text(settings_), given_.file);
    try {
      for (const auto& pull : read.settings.pulls)
        for (const auto& problem :
             crm::check_writes(*database_, service::operation_of(pull.list).item, pull.writes))
          problems.push_back(problem.rule);
    } catch (const crm::DatabaseError& error) {
      problems.emplace_back(error.what());
    }
    settings_.write_problem = fmt::format("{}", fmt::join(problems, "; "));
    if (!settings_.write_problem.empty())
      note("write-backs are a comment in the file: " + settings_.write_problem);
  }

  bool finds_nothing(const std::string& query) {
    return if_it_tells([&] { return database_->query({query, {}}).rows.empty(); });
  }

  // A person can name one all the same.
  std::vector<std::string> tables(int most) {
    return if_it_tells([&] { return crm::readable_tables(*database_, most); });
  }

  // The columns of a table, and rows only where its names tell a date but no address.
  crm::Result look_at(const std::string& table) {
    constexpr int kRows = 20;
    const crm::Dialect dialect = database_->dialect();
    const bool in_quotes = dialect == crm::Dialect::postgresql;  // where it needs them
    const std::string query = "SELECT * FROM " + (in_quotes ? table : crm::quoted(dialect, table));
    return if_it_tells([&] {
      crm::Result found = database_->query(crm::shape_of_query(dialect, query));
      if (proposed_when(dialect, found.columns, {}).empty() ||
          !proposed_email(found.columns).empty())
        return found;
      auto some = crm::some_columns(dialect, query, found.columns, true);
      some.sql = crm::limited(dialect, some.sql, kRows);
      found.rows = database_->query(some).rows;
      return found;
    });
  }

  // Those that look most like tables of transactions first.
  void sort_by_likelihood(std::vector<std::string>& names) {
    tell(fmt::format("looking for dates and addresses in {} tables", names.size()));
    std::map<std::string, int> unlikelihood;
    for (const std::string& name : names)
      unlikelihood[name] = -likelihood(database_->dialect(), name, look_at(name));
    std::ranges::stable_sort(names, {}, [&](const auto& name) { return unlikelihood[name]; });
  }

  // What there is to choose from.
  void show_tables() {
    if (dialogue_ == nullptr || database_ == nullptr) return;
    auto names = tables(kTablesTried);
    const bool more = names.size() > kTablesShown;
    if (more) {
      sort_by_likelihood(names);
      names.resize(kTablesShown);
    }
    if (!names.empty())
      tell(fmt::format("its tables and views: {}{}", fmt::join(names, ", "), more ? ", …" : ""));
  }

  // All of the table with this name, in quotes or without them; empty: there is none. PostgreSQL
  // lists a name in the quotes that it needs, the others list it without.
  std::string query_of_table(const std::string& name) {
    const crm::Dialect dialect = database_->dialect();
    const std::string all_of = "SELECT * FROM ";
    for (const std::string& table : tables(kTablesLooked)) {
      const std::string in_quotes = crm::quoted(dialect, table);
      if (table != name && in_quotes != name && table != crm::quoted(dialect, name)) continue;
      const bool as_listed =
          dialect == crm::Dialect::postgresql || (is_plain(table) && works(all_of + table));
      return all_of + (as_listed ? table : in_quotes);
    }
    return "";
  }

  // The name of a table alone is a query too.
  std::string whole_query(const std::string& text) {
    const std::string name = text.substr(0, text.find_last_not_of(';') + 1);
    if (database_ != nullptr)
      if (auto query = query_of_table(name); !query.empty()) return query;
    const bool one_word = !name.empty() && name.find_first_of(" \t\r\n(") == std::string::npos;
    return one_word ? "SELECT * FROM " + name : text;
  }

  // Empty where it has several columns, too.
  std::string key_of_table(const std::string& name) {
    return if_it_tells([&] {
      return crm::key_column(*database_,
                             without_quotes(name.substr(0, name.find_last_not_of(';') + 1)));
    });
  }

  bool query() {
    if (!given_.query) show_tables();
    const auto take = [&](const std::string& text, bool) -> Refused {
      const std::string whole = whole_query(text);
      if (auto refused = store(config::query(), whole, settings_.query)) return refused;
      if (database_ == nullptr) return std::nullopt;
      try {
        const auto shape = crm::shape_of_query(database_->dialect(), settings_.query);
        columns_ = database_->query(shape).columns;
        for (auto& each : crm::moving_dates(*database_, settings_.query))
          moving_.push_back(std::move(each.column));
        table_key_ = whole == text ? "" : key_of_table(text);
        return std::nullopt;
      } catch (const crm::DatabaseError& error) {
        Refusal refusal = refusal_of(error);
        if (whole != text) refusal.why += config::suggestion(text, tables(kTablesLooked));
        return refusal;
      }
    };
    const std::string end = dialogue_ != nullptr ? " (it ends with ; or an empty line)" : "";
    return answer(
        {"--query", "The transactions: a table, or a query" + end, "", Answered::in_lines},
        given_.query, take);
  }

  // What is written there is tried when the query is known.
  bool read_map() {
    bool good = true;
    for (const std::string& line : given_.map) {
      const auto equals = line.find('=');
      if (equals == 0 || equals == std::string::npos) {
        refuse("--map", {kUsage, "must be DataColumn=column, got " + config::quoted(line)});
        good = false;
      } else {
        chosen_.push_back({std::string(mapping::trimmed(line.substr(0, equals))),
                           std::string(mapping::trimmed(line.substr(equals + 1)))});
      }
    }
    return good;
  }

  // Proposed: a midnight of the CRM's that look_back still reaches when a person has released the
  // first run, a day from now, so that no row after it is too old.
  bool start() {
    const auto take = [&](const std::string& text, bool) -> Refused {
      if (!is_day(text))
        return Refusal{kUsage, "must be a date such as 2026-11-01, got " + config::quoted(text)};
      settings_.start = text;
      return std::nullopt;
    };
    std::string proposal;
    if (database_ != nullptr) {
      const auto since = database_->now() - kLookBack + std::chrono::days{1};
      const auto first =
          std::chrono::ceil<std::chrono::days>(mapping::to_zone(since, settings_.time_zone));
      proposal = mapping::write_local(first).substr(0, std::string_view("2026-11-15").size());
    }
    return answer({"--start", "The start: nothing older is ever sent", proposal}, given_.start,
                  take);
  }

  // What there is to choose from: to a person before the questions, else after all problems.
  void say_choice() const {
    say_or_report(fmt::format("the query's columns: {}", fmt::join(names_of(columns_), ", ")));
    std::vector<std::string> names;
    for (const mapping::DataColumn& data : data_columns_)
      if (!data.archived) names.push_back(configured_name(data, data_columns_));
    if (!names.empty())
      say_or_report(fmt::format("the service's data columns: {}", fmt::join(names, ", ")));
  }

  // The query's column of this name, whatever the case of its letters. A name that is refused is
  // kept, so that no other problem follows from it.
  Refused take_column(const std::string& name, std::string& to) const {
    const auto found = std::ranges::find_if(columns_, [&](const crm::Column& column) {
      return config::same_ignoring_case(column.name, name);
    });
    to = found == columns_.end() ? name : found->name;
    if (found != columns_.end()) return std::nullopt;
    return Refusal{kConfiguration, "the query has no column " + config::quoted(to) +
                                       config::suggestion(to, names_of(columns_))};
  }

  // Can rows be found by key and date?
  Refused try_source() {
    try {
      crm::Source(*database_, {settings_.push, settings_.query, settings_.key, settings_.when,
                               settings_.time_zone})
          .columns();
      return std::nullopt;
    } catch (const crm::DatabaseError& error) {
      return refusal_of(error);
    }
  }

  bool columns() {
    if (dialogue_ != nullptr) say_choice();
    const auto take_when = [&](const std::string& text, bool) -> Refused {
      if (auto refused = take_column(text, settings_.when)) return refused;
      const auto column = std::ranges::find(columns_, settings_.when, &crm::Column::name);
      auto why = crm::unusable_when(database_->dialect(), *column);
      return why ? Refused(Refusal{kConfiguration, *std::move(why)}) : std::nullopt;
    };
    const bool dated = answer({"--when", "The date: when it happened" + text_of_dates(columns_),
                               proposed_when(database_->dialect(), columns_, moving_)},
                              given_.when, take_when);
    const auto take_key = [&](const std::string& text, bool) -> Refused {
      if (auto refused = take_column(text, settings_.key)) return refused;
      return dated ? try_source() : std::nullopt;
    };
    const std::string key = proposed_key(columns_, data_columns_);
    const bool keyed = answer({"--key", "The key: names a transaction; each is sent once",
                               key.empty() ? table_key_ : key},
                              given_.key, take_key);
    const bool addressed =
        answer({"--email", "The e-mail address", proposed_email(columns_)}, given_.email,
               [&](const std::string& text, bool) { return take_column(text, settings_.email); });
    const bool filled = fill_data();
    const bool good = dated && keyed && addressed && filled;
    if (dated && keyed && database_ != nullptr) compare_zones();
    if (!good && dialogue_ == nullptr) say_choice();
    return good;
  }

  // A date without a zone is read in the CRM's; its programs may write it in another.
  void compare_zones() {
    const auto column = std::ranges::find(columns_, settings_.when, &crm::Column::name);
    if (column == columns_.end() || column->kind == crm::ColumnKind::instant) return;
    const auto own = if_it_tells([&] { return crm::own_zone(*database_); });
    if (!own) return;
    const TimePoint now = database_->now();
    ZoneFacts facts{settings_.when, settings_.time_zone, *own, now};
    if (zone_note(facts).empty()) return;
    facts.later = if_it_tells([&] {
      return crm::count_all(
          *database_,
          {settings_.push, settings_.query, settings_.key, settings_.when, settings_.time_zone},
          now, now + std::chrono::days{1});
    });
    note(zone_note(facts));
  }

  // A line of --map.
  Refused take_line(MapLine& line) const {
    if (!line.column.empty())
      if (auto refused = take_column(line.column, line.column)) {
        refused->why = line.data_column + ": " + refused->why;
        return refused;
      }
    if (data_columns_.empty()) return std::nullopt;  // they are not known
    const auto found = mapping::find_column(line.data_column, data_columns_);
    if (const auto* why = std::get_if<std::string>(&found)) return Refusal{kConfiguration, *why};
    return std::nullopt;
  }

  // What --map says, then what the names tell, then what the service requires besides.
  bool fill_data() {
    bool good = true;
    std::vector<MapLine> chosen;
    for (MapLine line : chosen_) {
      const Refused refused = take_line(line);
      if (refused) refuse("--map", *refused);
      if (refused && dialogue_ != nullptr) continue;
      good = good && !refused;
      chosen.push_back(line);
    }
    settings_.data = proposed_data(columns_, data_columns_, settings_.key, settings_.email, chosen);
    for (const mapping::DataColumn& data : data_columns_) {
      if (data.archived || is_filled(data, settings_.data)) continue;
      MapLine line{configured_name(data, data_columns_), ""};
      if (!data.required) {
        settings_.left_out.push_back(line.data_column);
        continue;
      }
      const auto take = [&](const std::string& text, bool) {
        return take_column(text, line.column);
      };
      good = answer({"--map", line.data_column + ", a data column that the service requires"}, {},
                    take) &&
             good;
      settings_.data.push_back(line);
    }
    const auto carrier = std::ranges::find(settings_.data, settings_.key, &MapLine::column);
    if (carrier != settings_.data.end()) settings_.correlate = carrier->data_column;
    std::set<std::string> used = {settings_.key, settings_.when, settings_.email};
    for (const MapLine& line : settings_.data)
      used.insert(line.column);
    settings_.unused = names_of(columns_);
    std::erase_if(settings_.unused, [&](const std::string& name) { return used.contains(name); });
    if (dialogue_ != nullptr) show_data();
    return good;
  }

  void show_data() const {
    if (data_columns_.empty()) return;
    dialogue_->say("The service's data columns, by their names (the file or --map changes them):");
    for (const MapLine& line : settings_.data)
      dialogue_->say(fmt::format("  {} = {}", line.data_column, line.column));
    for (const std::string& name : settings_.left_out)
      dialogue_->say(fmt::format("  {}: nothing, no column of the query is called so", name));
  }

  InitOptions given_;  // with the answers of a template
  Dialogue* dialogue_;
  NewSettings settings_;
  std::vector<MapLine> chosen_;  // by --map
  DataColumns data_columns_;     // of the service
  std::unique_ptr<crm::Database> database_;
  Columns columns_;                  // of the query
  std::string table_key_;            // the primary key where the query is a table
  std::vector<std::string> moving_;  // those of them that each change of their row sets anew
  ExitCode code_ = kDone;
};

}  // namespace

std::optional<NewSettings> ask_settings(const InitOptions& given, Dialogue* dialogue,
                                        ExitCode& code) {
  Interview interview(given, dialogue);
  auto settings = interview.ask_all();
  code = interview.code();
  return settings;
}

}  // namespace surveybridge::daemon
