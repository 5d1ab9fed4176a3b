#include "tests/config/cases.hpp"

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "tests/support/paths.hpp"
#include "tests/support/temporary_folder.hpp"

namespace surveybridge::config {
namespace {

std::string folder() {
  return support::source_dir() + "/tests/config/cases/";
}

}  // namespace

std::vector<std::string> case_names() {
  std::vector<std::string> found;
  for (const auto& file : std::filesystem::directory_iterator(folder())) {
    if (file.path().extension() == ".toml") found.push_back(file.path().stem());
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::string case_expected(const std::string& name) {
  return support::read_file(folder() + name + ".txt");
}

std::string case_text(const std::string& name) {
  std::string text = support::read_file(folder() + name + ".toml");
  const std::string_view mark = "# and: ";
  if (!text.starts_with(mark)) return text;
  std::istringstream words(text.substr(mark.size(), text.find('\n') - mark.size()));
  for (std::string word; words >> word;)
    text += support::read_file(folder() + "sections/" + word + ".toml");
  return text;
}

}  // namespace surveybridge::config
