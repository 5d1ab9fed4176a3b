// From the text of the file to settings: reads every section and reports every problem with its
// place. Pure except for reading the file, those that it includes, and what it names outside.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "config/keys/setting.hpp"
#include "config/problem.hpp"
#include "config/settings.hpp"

namespace surveybridge::config {

// Reads and checks a file (docs/CONFIG.md): settings, or every problem at once.
std::variant<Settings, std::vector<Problem>> load(const std::string& file);

// A file as far as it is right, for a command that looks for more problems.
struct PartlyRight {
  std::vector<Problem> problems;  // every one; empty: the whole file is right
  Settings settings;              // without each push, pull, [suppress] and [status] with a problem
  bool service = false;  // [service] has no problem, nor have its tables but [service.pace]
  bool crm = false;      // [crm] has no problem
};
PartlyRight load_in_parts(const std::string& file);
// The same from text; `file` is only the name used in messages.
std::variant<Settings, std::vector<Problem>> parse(std::string_view text, const std::string& file);
PartlyRight parse_in_parts(std::string_view text, const std::string& file);

// In the order of docs/CONFIG.md. NAME, FIELD and COLUMN stand for names that the user
// chooses.
std::vector<Setting> description();

// A section of the description as a file begins it: "[crm]", or "[[pull.customers.walk]]" where
// there may be several. "At the top" for the keys outside of all; what is no section ("a cell")
// stays.
std::string heading_of(const std::string& section);
// Which keys of a table go together, as JSON Schema. All but a source's are asked of a file that
// includes no other.
std::string auth_rules();      // auth.cpp
std::string batch_rules();     // batch.cpp
std::string push_rules();      // push.cpp
std::string source_rules();    // source.cpp
std::string suppress_rules();  // suppress.cpp: of the whole file

}  // namespace surveybridge::config
