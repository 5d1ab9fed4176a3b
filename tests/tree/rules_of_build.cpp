#include <algorithm>

#include "tests/tree/code.hpp"
#include "tests/tree/rules.hpp"

namespace tree {
namespace {

std::string text_of(const Tree& tree, std::string_view path) {
  for (const File& file : tree)
    if (file.path == path) return file.text;
  return {};
}

// Does a line such as `room(bridge_daemon "daemon;daemon/commands" …` name the folder?
bool has_room(const std::string& cmake, const std::string& opening, std::string_view folder) {
  if (folder.empty()) return false;
  const std::string word = " " + std::string(folder) + " ";
  for (const std::string_view line : lines_of(cmake)) {
    if (!starts(line, opening)) continue;
    std::string words = " " + std::string(line.substr(opening.size())) + " ";
    for (char& c : words)
      if (c == '"' || c == ';' || c == ')') c = ' ';
    if (words.find(word) != std::string::npos) return true;
  }
  return false;
}

// A word that no file may contain; `code`: only outside comments and literals.
struct Forbidden {
  std::string word;
  bool code;
  std::string_view reason;
};
// Written in pieces where the rule would otherwise find itself.
const std::vector<Forbidden> kForbidden = {
    {"sleep_for", true, "time is turned by hand, nothing sleeps"},
    {"sleep_until", true, "time is turned by hand, nothing sleeps"},
    {"usleep", true, "time is turned by hand, nothing sleeps"},
    {"nanosleep", true, "time is turned by hand, nothing sleeps"},
    {"sleep(", true, "time is turned by hand, nothing sleeps"},
    {"GTEST_SKIP", true, "a test that is skipped is decoration"},
    {"DISABLED_", true, "a test that is disabled is decoration"},
    {"TO"
     "DO",
     false, "unfinished by its own words"},
    {"FIX"
     "ME",
     false, "unfinished by its own words"},
    {"/wo"
     "rk/",
     false, "a path of one machine"},
    {"/ho"
     "me/",
     false, "a path of one machine"},
};

bool breaks(const Forbidden& forbidden, const File& file) {
  return is_source(file) || !forbidden.code;
}

}  // namespace

Breaches sources_not_built(const Tree& tree) {
  const std::string rooms = text_of(tree, "CMakeLists.txt");
  const std::string tests = text_of(tree, "tests/CMakeLists.txt");
  const auto built = [&](std::string_view folder) {
    if (!starts(folder, "tests/")) return has_room(rooms, "room(", folder);
    folder.remove_prefix(6);
    const bool taken = !lines_with(tests, " " + std::string(folder) + "/*.cpp").empty();
    const auto floor = folder.substr(0, folder.find('/'));
    const bool deep = std::count(folder.begin(), folder.end(), '/') > 1;
    return taken || (!deep && has_room(tests, "test_room(", floor));
  };
  Breaches found;
  for (const File& file : tree) {
    if (!ends(file.path, ".cpp") || starts(file.path, "bench/")) continue;
    const bool by_name = !lines_with(rooms, " " + file.path).empty();
    if (!by_name && !built(folder_of(file.path)))
      found.push_back(at(file, 1, "no room of the build takes this folder's sources"));
  }
  return found;
}

Breaches forbidden_words(const Tree& tree) {
  Breaches found;
  for (const File& file : tree) {
    const std::string code = is_source(file) ? code_of(file.text) : std::string();
    for (const Forbidden& forbidden : kForbidden) {
      if (!breaks(forbidden, file)) continue;
      for (const std::size_t line : lines_with(forbidden.code ? code : file.text, forbidden.word))
        found.push_back(at(file, line, forbidden.word + ": " + std::string(forbidden.reason)));
    }
  }
  return found;
}

}  // namespace tree
