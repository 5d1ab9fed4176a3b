#include <algorithm>
#include <cctype>

#include "tests/tree/code.hpp"
#include "tests/tree/rules.hpp"

namespace tree {
namespace {

const std::vector<std::string> kEmptyWords = {"manager", "helper", "helpers", "util", "utils",
                                              "common",  "misc",   "process", "data"};
// These words say something beside another word ("data_column"), and nothing alone.
bool only_alone(const std::string& word) {
  return word == "process" || word == "data";
}

// "LeaseManager" and "lease_manager" → lease, manager.
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words(1);
  for (const char c : name) {
    const bool upper = std::isupper(static_cast<unsigned char>(c)) != 0;
    if ((c == '_' || upper) && !words.back().empty()) words.emplace_back();
    if (c != '_') words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return words;
}

bool is_empty_name(std::string_view name) {
  const std::vector<std::string> words = words_of(name);
  return std::any_of(kEmptyWords.begin(), kEmptyWords.end(), [&](const std::string& empty) {
    if (only_alone(empty) && words.size() > 1) return false;
    return std::find(words.begin(), words.end(), empty) != words.end();
  });
}

// The type names that a line declares: what follows class, struct or enum.
std::vector<std::string> types_in(std::string_view line) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool part = std::isalnum(static_cast<unsigned char>(line[i])) != 0 || line[i] == '_';
    if (!part) continue;
    if (i == 0 || line[i - 1] == ' ') words.emplace_back();
    if (!words.empty()) words.back() += line[i];
  }
  std::vector<std::string> types;
  for (std::size_t i = 1; i < words.size(); ++i)
    if (words[i - 1] == "class" || words[i - 1] == "struct") types.push_back(words[i]);
  return types;
}

}  // namespace

Breaches empty_names(const Tree& tree) {
  Breaches found;
  for (const File& file : tree) {
    if (!is_source(file)) continue;
    if (is_empty_name(stem_of(file.path))) found.push_back(at(file, 1, "a name that says nothing"));
    const std::string code = code_of(file.text);
    std::size_t number = 0;
    for (const std::string_view line : lines_of(code)) {
      ++number;
      for (const std::string& type : types_in(line))
        if (is_empty_name(type)) found.push_back(at(file, number, "says nothing: " + type));
    }
  }
  return found;
}

Breaches silent_headers(const Tree& tree) {
  Breaches found;
  for (const File& file : tree) {
    if (!ends(file.path, ".hpp")) continue;
    if (!starts(file.text, "// ")) found.push_back(at(file, 1, "a header opens with a comment"));
    if (lines_with(file.text, "\n#pragma once\n").empty())
      found.push_back(at(file, 1, "a header is guarded by #pragma once"));
  }
  return found;
}

}  // namespace tree
