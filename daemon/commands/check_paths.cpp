#include "daemon/commands/check_paths.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <variant>

#include <fmt/format.h>

#include "config/text.hpp"
#include "mapping/values/text.hpp"

namespace surveybridge::daemon {

namespace {

// The name in "Data[NAME]" and "Answers[NAME].…"; empty: the path begins with another field.
std::string name_in(const std::string& path, std::string_view field) {
  const auto end = path.find(']');
  const bool is_it = path.starts_with(field) && path.substr(field.size()).starts_with("[");
  if (!is_it || end == std::string::npos) return "";
  return path.substr(field.size() + 1, end - field.size() - 1);
}

std::optional<std::string> question_note(std::int64_t id, const NamesOfService& known) {
  if (known.questions.empty() || known.questions.contains(id)) return std::nullopt;
  return fmt::format("nobody has answered a question with the number {} yet", id);
}

class Paths {
 public:
  Paths(const config::Pull& pull, const NamesOfService& known) : pull_(pull), known_(known) {}

  std::vector<std::string> run() {
    for (const auto& write : pull_.writes) {
      for (const auto& cell : write.match)
        check_path(cell.path, ".write.match." + cell.shown());
      for (const auto& cell : write.set)
        check_path(cell.path, ".write.set." + cell.shown());
      check_conditions(write.when, ".write.when");
    }
    for (const auto& follow_up : pull_.follow_ups) {
      const std::string section = ".follow_up." + follow_up.name;
      for (const auto& field : follow_up.fields)
        check_path(field.path, section + ".fields." + field.label);
      for (const auto& conditions : follow_up.when)
        check_conditions(conditions, section + ".when");
    }
    return std::move(notes_);
  }

 private:
  void note(const std::string& where, const std::string& what) {
    notes_.push_back("pull." + pull_.name + where + ": " + what);
  }

  void check_conditions(const std::vector<config::Write::Condition>& conditions,
                        const std::string& where) {
    for (const auto& condition : conditions) {
      check_path(condition.path, where);
      if (!mapping::same_name(condition.path, "Status.StatusName")) continue;
      for (const auto& constant : condition.any_of)
        if (const auto* status = std::get_if<std::string>(&constant)) check_status(*status, where);
    }
  }

  void check_path(const std::string& path, const std::string& where) {
    if (const auto column = name_in(path, "Data"); !column.empty()) check_column(column, where);
    const auto id = mapping::to_number<std::int64_t>(name_in(path, "Answers"));
    const bool is_known = id && pull_.list == config::Pull::List::customers;
    if (const auto text = is_known ? question_note(*id, known_) : std::nullopt) note(where, *text);
  }

  void check_column(const std::string& name, const std::string& where) {
    if (known_.columns.empty()) return;
    const auto found = mapping::find_column(name, known_.columns);
    const auto* column = std::get_if<mapping::DataColumn>(&found);
    if (column == nullptr) return note(where, std::get<std::string>(found));
    const std::string& shown = column->display_name;
    if (pull_.list != config::Pull::List::ratings || shown.empty() ||
        mapping::same_name(name, shown))
      return;
    note(where, fmt::format("a rating has data columns by their display names alone: of \"{}\" that"
                            " is Data[{}]",
                            name, shown));
  }

  void check_status(const std::string& name, const std::string& where) {
    const auto& names = known_.statuses;
    if (names.empty() || std::ranges::find(names, name) != names.end()) return;
    note(where,
         fmt::format("the service has no status \"{}\"{}", name, config::suggestion(name, names)));
  }

  const config::Pull& pull_;
  const NamesOfService& known_;
  std::vector<std::string> notes_;
};

}  // namespace

std::vector<std::string> unknown_in_paths(const config::Pull& pull, const NamesOfService& known) {
  return Paths(pull, known).run();
}

std::vector<std::string> unknown_questions(const config::Report& report,
                                           const NamesOfService& known) {
  std::vector<std::string> notes;
  for (const auto& question : report.questions)
    if (const auto text = question_note(question.id, known))
      notes.push_back("report.question: " + *text);
  return notes;
}

}  // namespace surveybridge::daemon
