#include "tests/interface/document.hpp"

#include <fstream>
#include <sstream>
#include <stdexcept>

#include "tests/support/paths.hpp"

namespace interface {
namespace {

using Rows = std::vector<std::vector<std::string>>;

Rows table(const std::string& name, std::size_t words) {
  std::ifstream in(support::source_dir() + "/tests/interface/document/" + name);
  std::ostringstream text;
  text << in.rdbuf();
  Rows found = rows(text.str(), words);
  if (found.empty()) throw std::runtime_error(name + ": no such table, or an empty one");
  return found;
}

void collect(const std::string& resource, const Fields& of, const Leaf& so_far,
             std::vector<Leaf>& found) {
  for (const Field& field : of.at(resource)) {
    Leaf leaf = so_far;
    leaf.way.push_back(&field);
    if (of.count(field.type) != 0) {
      collect(field.type, of, leaf, found);
    } else {
      found.push_back(std::move(leaf));
    }
  }
}

}  // namespace

Rows rows(const std::string& text, std::size_t words) {
  Rows found;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.front() == '#') continue;
    std::istringstream in(line);
    std::vector<std::string> row;
    for (std::string word; in >> word;)
      row.push_back(word);
    if (row.size() != words) throw std::runtime_error("not a row of this table: " + line);
    found.push_back(std::move(row));
  }
  return found;
}

const Fields& fields() {
  static const Fields all = [] {
    Fields read;
    for (const auto& row : table("fields.txt", 5)) {
      const std::string item = row[4] == "-" ? "" : row[4];
      read[row[0]].push_back({row[0], row[1], row[2], row[3], item});
    }
    return read;
  }();
  return all;
}

const std::vector<Parameter>& parameters() {
  static const std::vector<Parameter> all = [] {
    std::vector<Parameter> read;
    for (const auto& row : table("parameters.txt", 4))
      read.push_back({row[0], row[1], row[2], row[3]});
    return read;
  }();
  return all;
}

const std::vector<Code>& codes() {
  static const std::vector<Code> all = [] {
    std::vector<Code> read;
    for (const auto& row : table("codes.txt", 4))
      read.push_back({std::stoi(row[0]), row[1], row[2], row[3]});
    return read;
  }();
  return all;
}

const std::map<std::string, std::string>& tables() {
  static const std::map<std::string, std::string> all = [] {
    std::map<std::string, std::string> read;
    for (const auto& row : table("tables.txt", 2))
      read[row[0]] = row[1];
    return read;
  }();
  return all;
}

std::string Leaf::path() const {
  std::string text;
  for (const Field* field : way)
    text += (text.empty() ? "" : ".") + field->name + (field->is_list() ? "[]" : "");
  return text;
}

std::string Leaf::pointer() const {
  std::string text;
  for (const Field* field : way)
    text += "/" + field->name + (field->is_list() ? "/0" : "");
  return text;
}

std::vector<Leaf> leaves(const std::string& root, const Fields& of) {
  std::vector<Leaf> found;
  collect(root, of, {root, {}}, found);
  return found;
}

}  // namespace interface
