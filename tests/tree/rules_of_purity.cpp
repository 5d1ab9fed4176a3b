#include <algorithm>
#include <set>

#include "tests/tree/code.hpp"
#include "tests/tree/rules.hpp"

namespace tree {
namespace {

constexpr std::string_view kPureRooms[] = {"config/", "mapping/"};

const std::vector<std::string_view> kImpureHeaders = {
    "thread",  "mutex",    "atomic",   "condition_variable",
    "future",  "random",   "iostream", "cstdio",
    "fstream", "ctime",    "cstdlib",  "filesystem",
    "spdlog/", "unistd.h", "fcntl.h",
};
const std::vector<std::string_view> kImpureWords = {
    "system_clock::now", "steady_clock::now", "getenv", "thread_local", "printf", "mutable",
};

struct Exception {
  std::string_view file, what, reason;
};
const std::vector<Exception> kExceptions = {
    {"config/file.cpp", "fcntl.h", "the configuration and a secret in a file are read here"},
    {"config/file.cpp", "unistd.h", "the configuration and a secret in a file are read here"},
    {"config/file.cpp", "cstdlib", "realpath: two names of one file are one"},
    {"config/secret.cpp", "cstdlib", "a secret may live in the environment"},
    {"config/secret.cpp", "getenv", "a secret may live in the environment"},
};

std::string_view without_ending(std::string_view path) {
  return path.substr(0, path.rfind('.'));
}

bool says_pure(const File& header) {
  return header.text.substr(0, header.text.find("#pragma once")).find("Pure") != std::string::npos;
}

// The paths, without extension, of sources whose header says "Pure".
std::set<std::string_view> said_pure(const Tree& tree) {
  std::set<std::string_view> paths;
  for (const File& file : tree)
    if (ends(file.path, ".hpp") && says_pure(file)) paths.insert(without_ending(file.path));
  return paths;
}

bool in_pure_room(const File& file) {
  return std::ranges::any_of(kPureRooms,
                             [&](std::string_view room) { return starts(file.path, room); });
}

bool excepted(const File& file, std::string_view what) {
  return std::any_of(kExceptions.begin(), kExceptions.end(), [&](const Exception& exception) {
    return file.path == exception.file && what == exception.what;
  });
}

bool names(std::string_view header, std::string_view impure) {
  return impure.back() == '/' ? starts(header, impure) : header == impure;
}

void look_at_includes(const File& file, Breaches& found) {
  for (const Include& include : includes_of(file.text))
    for (const std::string_view header : kImpureHeaders)
      if (names(include.target, header) && !excepted(file, header))
        found.push_back(at(file, include.line, "pure, so without <" + include.target + ">"));
}

void look_at_words(const File& file, Breaches& found) {
  const std::string code = code_of(file.text);
  for (const std::string_view word : kImpureWords)
    for (const std::size_t line : lines_with_word(code, word))
      if (!excepted(file, word))
        found.push_back(at(file, line, "pure, so without " + std::string(word)));
}

}  // namespace

Breaches impurities(const Tree& tree) {
  const auto said = said_pure(tree);
  Breaches found;
  for (const File& file : tree) {
    if (!is_source(file)) continue;
    if (!in_pure_room(file) && !said.contains(without_ending(file.path))) continue;
    look_at_includes(file, found);
    look_at_words(file, found);
  }
  return found;
}

}  // namespace tree
