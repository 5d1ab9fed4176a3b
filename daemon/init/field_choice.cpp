// The part of the interview about columns: what is proposed, changed and accepted.
#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "config/keys/zone.hpp"
#include "config/wording.hpp"
#include "daemon/init/interview.hpp"
#include "mapping/values/dates.hpp"

namespace surveybridge::daemon {

namespace {

constexpr std::chrono::days kLookBack{7};  // as far back as a push looks

std::string trimmed_text(const std::string& text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// "2026-11-15", from 1970 on. It goes into the file without quotes.
bool is_day(const std::string& text) {
  constexpr std::string_view kForm = "dddd-dd-dd";
  const auto fits = [](char c, char form) {
    return form == 'd' ? c >= '0' && c <= '9' : c == form;
  };
  if (!std::ranges::equal(text, kForm, fits)) return false;
  const auto number = [&](std::size_t at, std::size_t digits) {
    return static_cast<unsigned>(std::stoi(text.substr(at, digits)));
  };
  const std::chrono::year_month_day day(std::chrono::year(static_cast<int>(number(0, 4))),
                                        std::chrono::month(number(5, 2)),
                                        std::chrono::day(number(8, 2)));
  return day.ok() && day.year() >= std::chrono::year(1970);
}

// The service's data columns that no line fills.
std::vector<std::string> left_out(const std::vector<MapLine>& lines,
                                  const std::vector<mapping::DataColumn>& known) {
  std::vector<std::string> names;
  for (const mapping::DataColumn& data : known) {
    const bool filled = std::ranges::any_of(
        lines, [&](const MapLine& line) { return mapping::is_called(data, line.data_column); });
    if (!data.archived && !filled) names.push_back(configured_name(data, known));
  }
  return names;
}

// The columns of the query that no field takes.
std::vector<std::string> unused(const Proposal& proposal, std::vector<std::string> columns) {
  std::set<std::string> used = {proposal.key, proposal.when, proposal.email};
  for (const MapLine& line : proposal.data)
    used.insert(line.column);
  std::erase_if(columns, [&](const std::string& column) { return used.contains(column); });
  return columns;
}

// The columns that hold dates, for whoever chooses one; empty: there is none.
std::string dates_of(const std::vector<crm::Column>& columns) {
  using Kind = crm::ColumnKind;
  std::vector<std::string> names;
  for (const crm::Column& column : columns)
    if (column.kind == Kind::instant || column.kind == Kind::local_time ||
        column.kind == Kind::date)
      names.push_back(column.name);
  return names.empty() ? ""
                       : fmt::format(
                             " such as delivered_at; it has the dates {}: take the one"
                             " of the transaction, not one that each change of the row"
                             " moves (ON UPDATE)",
                             fmt::join(names, ", "));
}

// Which option gives the setting that a problem names; empty: none.
std::string option_of(const std::string& key, const std::string& push) {
  const std::string at = config::dotted("push", push) + ".";
  const std::string rest = key.starts_with(at) ? key.substr(at.size()) : "";
  if (rest == "key") return "--key";
  if (rest == "when" || rest == "customer.TransactionDate") return "--when";
  if (rest == "query") return "--query";
  if (rest == "start") return "--start";
  if (rest == "customer.Email") return "--email";
  if (rest.starts_with("customer.Data")) return "--map";
  return key.starts_with("push.") && rest.empty() ? "--push" : "";
}

}  // namespace

// What is chosen before the query is known.
bool Interview::choose() {
  const std::pair<const char*, const Text*> all[] = {{"start", &given_.start},
                                                     {"push", &given_.push},
                                                     {"key", &given_.key},
                                                     {"when", &given_.when},
                                                     {"email", &given_.email}};
  bool good = true;
  for (const auto& [name, text] : all) {
    const Refused refused = *text ? set(name, **text) : std::nullopt;
    if (refused) refuse(std::string("--") + name, *refused);
    good = good && !refused;
  }
  for (const std::string& line : given_.map) {
    const auto equals = line.find('=');
    if (equals == 0 || equals == std::string::npos) {
      refuse("--map", {kUsage, "must be DataColumn=column, got " + config::quoted(line)});
      good = false;
    } else {
      chosen_.data.push_back(
          {trimmed_text(line.substr(0, equals)), trimmed_text(line.substr(equals + 1))});
    }
  }
  return good;
}

// A setting by the name that options and answers have for it.
Refused Interview::set(const std::string& name, const std::string& value) {
  if (name == "start") {
    if (!is_day(value))
      return Refusal{kUsage, "must be a date such as 2026-11-01, got " + config::quoted(value)};
    settings_.start = value;
  } else if (name == "time-zone") {
    if (!config::is_zone(value))
      return Refusal{kUsage, "unknown time zone " + config::quoted(value) +
                                 config::suggestion(value, config::zones())};
    settings_.time_zone = value;
  } else if (name == "push") {
    settings_.push = value;
  } else {
    if (!config::is_name(value))
      return Refusal{kUsage, "must be a column's name, got " + config::quoted(value)};
    (name == "key" ? chosen_.key : name == "when" ? chosen_.when : chosen_.email) = value;
  }
  return std::nullopt;
}

void Interview::propose_rest() {
  const Proposal proposal = propose(trial_.dialect(), trial_.columns(), trial_.data_columns(),
                                    chosen_, trial_.moving_columns());
  settings_.key = proposal.key;
  settings_.when = proposal.when;
  settings_.email = proposal.email;
  settings_.correlate = proposal.correlate;
  settings_.data = proposal.data;
  settings_.left_out = left_out(proposal.data, trial_.data_columns());
  settings_.unused = unused(proposal, query_columns());
  if (!settings_.start.empty()) return;
  // The first midnight that look_back reaches, so that no row after it is too old.
  const auto first = std::chrono::ceil<std::chrono::days>(trial_.database_clock() - kLookBack);
  settings_.start = mapping::write_instant(first).substr(0, std::string_view("2026-11-15").size());
}

void Interview::show() {
  const auto line = [&](const std::string& name, const std::string& value,
                        const std::string& meaning) {
    const std::string shown = value.empty() ? "?" : value;
    dialogue_->say(meaning.empty() ? fmt::format("  {:<24} = {}", name, shown)
                                   : fmt::format("  {:<24} = {:<20} {}", name, shown, meaning));
  };
  dialogue_->say(fmt::format("  the query's columns: {}", fmt::join(query_columns(), ", ")));
  dialogue_->say("Proposed by the names:");
  line("key", settings_.key, "names a transaction; each is sent once");
  line("when", settings_.when, "when it happened");
  line("start", settings_.start, "nothing older is ever sent");
  line("time-zone", settings_.time_zone, "of the CRM's clock");
  line("email", settings_.email, "the address");
  for (const mapping::DataColumn& data : trial_.data_columns()) {
    if (data.archived) continue;
    const std::string name = configured_name(data, trial_.data_columns());
    const auto found = std::ranges::find(settings_.data, name, &MapLine::data_column);
    const std::string column = found == settings_.data.end() ? "" : found->column;
    line(name == data.name ? name : name + " (" + data.name + ")", column,
         data.required ? "data column, required by the service" : "data column");
  }
}

// "name = column" of a person; without a column the data column is left out.
void Interview::change(const std::string& line) {
  const auto equals = line.find('=');
  if (equals == std::string::npos) {
    dialogue_->say("  write a name of the list, = and a column; Enter alone accepts");
    return;
  }
  const std::string name = trimmed_text(line.substr(0, equals));
  std::string value = trimmed_text(line.substr(equals + 1));
  const std::vector<std::string> columns = query_columns();
  const bool free = name == "start" || name == "time-zone" || name == "push";
  if (!free && !value.empty() && std::ranges::find(columns, value) == columns.end()) {
    dialogue_->say("  the query has no column " + config::quoted(value) +
                   config::suggestion(value, columns));
    return;
  }
  if (free || name == "key" || name == "when" || name == "email") {
    if (const Refused refused = set(name, value)) dialogue_->say("  " + refused->why);
    return;
  }
  const auto found = mapping::find_column(name, trial_.data_columns());
  if (const auto* why = std::get_if<std::string>(&found)) {
    dialogue_->say("  " + *why);
    return;
  }
  const std::string data =
      configured_name(std::get<mapping::DataColumn>(found), trial_.data_columns());
  std::erase_if(chosen_.data, [&](const MapLine& each) { return each.data_column == data; });
  chosen_.data.push_back({data, std::move(value)});
}

// A column that is not there, named by --key or --when, fills other fields too. What a person has
// written for one of these fields is a mistake of its own.
bool Interview::is_of_key_or_date(const config::Problem& problem,
                                  const std::vector<config::Problem>& all) const {
  const std::string push = config::dotted("push", settings_.push) + ".";
  const auto is = [&](const config::Problem& other, const char* key) {
    return other.key == push + key;
  };
  if (is(problem, "key") || is(problem, "when")) return false;
  const bool written = std::ranges::any_of(chosen_.data, [&](const MapLine& line) {
    return problem.key == push + "customer.Data." + line.data_column;
  });
  return !written && std::ranges::any_of(all, [&](const config::Problem& other) {
    return (is(other, "key") || is(other, "when")) && other.rule == problem.rule;
  });
}

// Empty: everything fits together.
std::vector<std::string> Interview::problems() {
  std::vector<std::string> found;
  NewSettings as_written = settings_;
  move_secrets_out(as_written, place_);
  std::set<std::string> missing;
  // Another column takes the place of a missing one, so that the rest can be checked.
  const auto need = [&](const char* option, std::string& value, const std::string& what) {
    if (!value.empty()) return;
    found.push_back(std::string(option) + ": is required: no column of the query has the name of " +
                    what);
    missing.insert(option);
    if (!trial_.columns().empty()) value = trial_.columns().front().name;
  };
  need("--key", as_written.key, "a key");
  need("--when", as_written.when, "a date" + dates_of(trial_.columns()));
  need("--email", as_written.email, "an address");
  const auto whole = trial_.whole(as_written);
  for (const config::Problem& problem : whole) {
    const std::string option = option_of(problem.key, settings_.push);
    const bool told = missing.contains(option) || is_of_key_or_date(problem, whole) ||
                      (code_ != kDone && !problem.key.starts_with("push."));  // with its question
    if (told) continue;
    found.push_back((option.empty() ? "" : option + ": ") + problem.key + ": " + problem.rule);
  }
  return found;
}

std::vector<std::string> Interview::query_columns() const {
  std::vector<std::string> names;
  for (const crm::Column& column : trial_.columns())
    names.push_back(column.name);
  return names;
}

// Without a person: what there is to choose from, once after all problems.
void Interview::report_choice() {
  problem_(fmt::format("the query's columns: {}", fmt::join(query_columns(), ", ")));
  std::vector<std::string> names;
  for (const mapping::DataColumn& data : trial_.data_columns())
    if (!data.archived) names.push_back(configured_name(data, trial_.data_columns()));
  if (!names.empty())
    problem_(fmt::format("the service's data columns: {}", fmt::join(names, ", ")));
}

bool Interview::accept() {
  for (;;) {
    propose_rest();
    if (dialogue_ != nullptr) {
      show();
      const std::string answer = dialogue_->ask(
          "Accept? Or change one: NAME = COLUMN, or \"query\" for another query", "yes");
      if (answer == "query") {
        query({});
        continue;
      }
      if (answer != "yes") {
        change(answer);
        continue;
      }
    }
    const auto found = problems();
    if (found.empty()) return true;
    for (const std::string& problem : found) {
      if (dialogue_ != nullptr) {
        dialogue_->say("  " + problem);
      } else {
        problem_(problem);
      }
    }
    if (dialogue_ != nullptr) continue;
    report_choice();
    code_ = std::max(code_, kConfiguration);
    return false;
  }
}

}  // namespace surveybridge::daemon
