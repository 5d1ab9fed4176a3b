#include <algorithm>

#include "tests/tree/code.hpp"
#include "tests/tree/rules.hpp"

namespace tree {
namespace {

// Files whose path begins so are pure: all of two rooms, and what the others decide with.
const std::vector<std::string_view> kPure = {
    "config/",
    "mapping/",
    "connectors/service/outcome.",
    "connectors/service/query.",
    "connectors/service/retry_after.",
    "connectors/crm/ddl.",
    "connectors/crm/ledger_sql.",
    "connectors/crm/sql.",
    "daemon/backoff.",
    "daemon/push_plan.",
    "daemon/pull_plan.",
    "daemon/reconcile_plan.",
};

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
    {"config/secret.cpp", "cstdlib", "a secret may live in the environment"},
    {"config/secret.cpp", "getenv", "a secret may live in the environment"},
};

bool is_pure(const File& file) {
  return is_source(file) && std::any_of(kPure.begin(), kPure.end(), [&](std::string_view room) {
           return starts(file.path, room);
         });
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
  Breaches found;
  for (const File& file : tree) {
    if (!is_pure(file)) continue;
    look_at_includes(file, found);
    look_at_words(file, found);
  }
  return found;
}

}  // namespace tree
