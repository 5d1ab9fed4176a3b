#include "daemon/init/trial.hpp"

#include <algorithm>
#include <cctype>

#include "config/sections/load.hpp"
#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/pulled/catalog.hpp"
#include "connectors/crm/source/moving_dates.hpp"
#include "connectors/crm/source/source.hpp"
#include "connectors/crm/source/source_sql.hpp"
#include "daemon/init/toml_text.hpp"
#include "daemon/job/fault.hpp"
#include "daemon/runtime/real_environment.hpp"
#include "mapping/field_map/mapper.hpp"

namespace surveybridge::daemon {

namespace {

using service::Trouble;
using Problems = std::vector<config::Problem>;

constexpr std::chrono::seconds kTimeout{20};  // a person waits
constexpr int kTablesLooked = 10'000;

// False for one that is in quotes already.
bool needs_quotes(const std::string& name) {
  const auto is_plain = [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '.';
  };
  return !std::ranges::all_of(name, is_plain) && name.find('"') == std::string::npos;
}

Refusal refusal_of(const Trouble& trouble) {
  const ExitCode code = is_temporary(fault_of(trouble.kind)) ? kUnreachable : kConfiguration;
  return {code, std::string(to_string(trouble.kind)) + ": " + trouble.detail};
}

bool asks_for_credentials(const Trouble& trouble) {
  return trouble.kind == Trouble::Kind::unauthorized || trouble.kind == Trouble::Kind::forbidden;
}

Refusal refusal_of(const crm::DatabaseError& error) {
  const bool later = error.kind == crm::DatabaseError::Kind::connection ||
                     error.kind == crm::DatabaseError::Kind::busy;
  return {later ? kUnreachable : kConfiguration, error.what()};
}

config::Settings settings_for(const NewSettings& settings) {
  config::Settings all;
  all.service.base_url = settings.base_url;
  all.service.auth = settings.auth;
  all.service.timeout = kTimeout;
  all.crm.time_zone = settings.time_zone;
  return all;
}

void append(Problems& all, Problems more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

}  // namespace

// Empty: the data columns are known. `unreadable`: why the secret cannot be read.
std::optional<Trouble> Trial::fetch(const NewSettings& settings, std::string& unreadable) {
  auto credentials = service::Credentials::make(settings.auth);
  if (const auto* why = std::get_if<std::string>(&credentials)) {
    unreadable = *why;
    return std::nullopt;
  }
  const config::Settings all = settings_for(settings);
  const auto transport = environment_of(all, {}, nullptr).open_transport();
  service::Api api(all.service, *transport,
                   *std::get<std::unique_ptr<service::Credentials>>(credentials));
  auto found = api.data_columns(system_now());
  if (auto* trouble = std::get_if<Trouble>(&found)) return std::move(*trouble);
  data_columns_ = mapping::to_data_columns(std::get<std::vector<mapping::Record>>(found));
  knows_service_ = true;
  return std::nullopt;
}

Refused Trial::address(const std::string& base_url) {
  NewSettings nobody;
  nobody.base_url = base_url;
  std::string unreadable;
  const auto trouble = fetch(nobody, unreadable);
  knows_service_ = false;
  if (!trouble || asks_for_credentials(*trouble)) return std::nullopt;
  return refusal_of(*trouble);
}

Refused Trial::authentication(const NewSettings& settings) {
  std::string unreadable;
  const auto trouble = fetch(settings, unreadable);
  if (!unreadable.empty()) return Refusal{kConfiguration, unreadable};
  if (trouble) return refusal_of(*trouble);
  return std::nullopt;
}

Refused Trial::database(const config::Secret& connection, const std::string& zone) {
  database_.reset();
  const auto text = config::read(connection);
  if (const auto* unreadable = std::get_if<config::Unreadable>(&text))
    return Refusal{kConfiguration, unreadable->why};
  config::Settings settings;
  settings.crm.time_zone = zone;
  try {
    database_ = environment_of(settings, {std::get<std::string>(text)}, nullptr).open_database();
    database_->now();
    return std::nullopt;
  } catch (const crm::DatabaseError& error) {
    database_.reset();
    return Refusal{kUnreachable, error.what()};
  }
}

Refused Trial::query(const std::string& query) {
  columns_.clear();
  try {
    columns_ = database_->query(crm::shape_of_query(database_->dialect(), query)).columns;
    moving_.clear();
    for (auto& [table, column] : crm::moving_dates(*database_, query))
      moving_.push_back(std::move(column));
    return std::nullopt;
  } catch (const crm::DatabaseError& error) {
    return refusal_of(error);
  }
}

Problems Trial::whole(const NewSettings& settings) {
  auto loaded = config::parse_in_parts(configuration_text(settings), "new");
  Problems all = std::move(loaded.problems);
  if (loaded.settings.pushes.empty()) return all;
  const config::Push& push = loaded.settings.pushes.front();
  const std::string at = "push." + push.name;
  std::vector<std::string> names;
  for (const crm::Column& column : columns_)
    names.push_back(column.name);
  auto mapper = mapping::Mapper::make(push, names, data_columns_, settings.time_zone);
  if (auto* problems = std::get_if<Problems>(&mapper)) append(all, std::move(*problems));
  const bool told = std::ranges::any_of(all, [&](const config::Problem& problem) {
    return problem.key == at + ".key" || problem.key == at + ".when";
  });
  if (told) return all;
  const auto when = std::ranges::find(columns_, push.when, &crm::Column::name);
  if (when != columns_.end()) {
    if (auto why = crm::unusable_when(database_->dialect(), *when)) {
      all.push_back({{}, at + ".when", *std::move(why)});
      return all;
    }
  }
  try {
    crm::Source(*database_, crm::source_query(push, settings.time_zone)).columns();
  } catch (const crm::DatabaseError& error) {
    all.push_back({{}, at + ".key", error.what()});
  }
  return all;
}

// PostgreSQL lists a name in the quotes that it needs, the others list it without.
std::optional<std::string> Trial::table(const std::string& name) {
  if (!database_ || name.empty()) return std::nullopt;
  const std::string in_quotes = crm::quoted(dialect(), name);
  for (const auto& each : tables(kTablesLooked)) {
    if (each == in_quotes) return in_quotes;
    if (each == name) return needs_quotes(name) ? in_quotes : name;
  }
  return std::nullopt;
}

std::string Trial::similar_table(const std::string& name) {
  return config::suggestion(name, tables(kTablesLooked));
}

std::vector<std::string> Trial::tables(int most) {
  try {
    return crm::readable_tables(*database_, most);
  } catch (const crm::DatabaseError&) {
    return {};  // a person can name one all the same
  }
}

}  // namespace surveybridge::daemon
