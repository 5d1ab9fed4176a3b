// The source tree as plain values, so that a rule is a pure function: the real tree is read once,
// bad trees are written in the tests of the rules.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tree {

struct File {
  std::string path;  // from the root of the tree, "mapping/values/value.hpp"
  std::string text;
};
using Tree = std::vector<File>;

// Breaches of a rule, one sentence each: "mapping/values/value.hpp:12: …". Empty: none.
using Breaches = std::vector<std::string>;

// Every file of ours below `root`, by path; builds and hidden folders except .ci are left out.
Tree read_tree(const std::string& root);

std::string_view folder_of(std::string_view path);  // "connectors/crm", "" at the root
std::string_view name_of(std::string_view path);    // "ledger.cpp"
std::string_view stem_of(std::string_view path);    // "ledger"
bool starts(std::string_view text, std::string_view prefix);
bool ends(std::string_view text, std::string_view suffix);
bool is_source(const File& file);   // C++ of any kind
bool is_product(const File& file);  // C++, but not of tests and benchmarks

std::string at(const File& file, std::size_t line, std::string_view sentence);

}  // namespace tree
