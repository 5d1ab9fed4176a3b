#include <algorithm>
#include <cctype>
#include <set>

#include "tests/tree/code.hpp"
#include "tests/tree/rules.hpp"

namespace tree {
namespace {

bool is_name_letter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '/' ||
         c == '.';
}

struct Citation {
  std::size_t line;
  std::string name;  // "docs/SERVICE.md", "SERVICE.md"
};

// The file names in a line that end with `ending`.
std::vector<std::string> names_in(std::string_view line, std::string_view ending) {
  std::vector<std::string> found;
  for (std::size_t at = line.find(ending); at != std::string_view::npos;
       at = line.find(ending, at + 1)) {
    const std::size_t end = at + ending.size();
    if (end < line.size() && is_name_letter(line[end]) && line[end] != '.') continue;
    std::size_t begin = at;
    while (begin > 0 && is_name_letter(line[begin - 1]))
      --begin;
    if (begin < at && line[begin] == '/') ++begin;  // after a root: root + "/docs/GUIDE.md"
    if (begin < at) found.emplace_back(line.substr(begin, end - begin));
  }
  return found;
}

// The documents that a file names, and the sources that a comment names.
std::vector<Citation> citations_in(const File& file) {
  std::vector<Citation> found;
  const auto lines = lines_of(file.text);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    for (auto& name : names_in(lines[i], ".md"))
      found.push_back({i + 1, std::move(name)});
    const auto comment = lines[i].find("//");
    if (!is_source(file) || starts(file.path, "tests/") || comment == std::string_view::npos)
      continue;
    for (const std::string_view ending : {".hpp", ".cpp"})
      for (auto& name : names_in(lines[i].substr(comment), ending))
        found.push_back({i + 1, std::move(name)});
  }
  return found;
}

bool is_there(const Tree& tree, const std::string& name) {
  const auto same = [&](const File& file) {
    return file.path == name || (name.find('/') == std::string::npos && name_of(file.path) == name);
  };
  return std::any_of(tree.begin(), tree.end(), same);
}

bool cites(const File& file) {
  return !starts(file.path, "tests/tree/") &&
         (is_source(file) || ends(file.path, ".md") || ends(file.path, ".txt") ||
          ends(file.path, ".toml") || starts(file.path, "scripts/") ||
          starts(file.path, "systemd/"));
}

}  // namespace

Breaches documents_not_there(const Tree& tree) {
  Breaches found;
  for (const File& file : tree) {
    if (!cites(file)) continue;
    for (const Citation& citation : citations_in(file)) {
      const std::string beside = std::string(folder_of(file.path)) + "/" + citation.name;
      if (!is_there(tree, citation.name) && !is_there(tree, beside))
        found.push_back(at(file, citation.line, "cites " + citation.name + ", which is not there"));
    }
  }
  return found;
}

Breaches rooms_without_a_readme(const Tree& tree) {
  std::set<std::string> rooms;
  Breaches found;
  for (const File& file : tree) {
    const std::string folder(folder_of(file.path));
    if (!is_product(file) || !rooms.insert(folder).second) continue;
    const auto readme = std::find_if(tree.begin(), tree.end(), [&](const File& other) {
      return other.path == folder + "/README.md";
    });
    if (readme == tree.end() || lines_of(readme->text).size() < 2)
      found.push_back(folder + ": no README.md of two lines says what lives here");
  }
  return found;
}

}  // namespace tree
