#include "tests/tree/tree.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

namespace tree {
namespace {

namespace fs = std::filesystem;

bool is_ours(const fs::path& path) {
  static const std::set<std::string> kNotOurs = {"build", "compile_commands.json"};
  const std::string name = path.filename().string();
  return kNotOurs.count(name) == 0 && (name.front() != '.' || name == ".ci");
}

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

Tree read_tree(const std::string& root) {
  Tree found;
  for (auto entry = fs::recursive_directory_iterator(root); entry != fs::end(entry); ++entry) {
    const bool ours = is_ours(entry->path());
    if (!ours && entry->is_directory()) entry.disable_recursion_pending();
    if (ours && entry->is_regular_file())
      found.push_back({fs::relative(entry->path(), root).string(), read(entry->path())});
  }
  std::sort(found.begin(), found.end(),
            [](const File& a, const File& b) { return a.path < b.path; });
  return found;
}

std::string_view folder_of(std::string_view path) {
  const auto slash = path.rfind('/');
  return slash == std::string_view::npos ? "" : path.substr(0, slash);
}

std::string_view name_of(std::string_view path) {
  return path.substr(path.rfind('/') + 1);  // npos + 1 is 0
}

std::string_view stem_of(std::string_view path) {
  const std::string_view name = name_of(path);
  return name.substr(0, name.find('.'));
}

bool starts(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

bool ends(std::string_view text, std::string_view suffix) {
  return text.size() >= suffix.size() && text.substr(text.size() - suffix.size()) == suffix;
}

bool is_source(const File& file) {
  return ends(file.path, ".cpp") || ends(file.path, ".hpp");
}

bool is_product(const File& file) {
  return is_source(file) && !starts(file.path, "tests/") && !starts(file.path, "bench/");
}

std::string at(const File& file, std::size_t line, std::string_view sentence) {
  return file.path + ":" + std::to_string(line) + ": " + std::string(sentence);
}

}  // namespace tree
