// The tables of the service's specification, copied by a person (document/*.txt), and functions
// that read them. Coverage is measured against these tables, never against the code's own
// description.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace interface {

struct Field {
  std::string resource, name;
  std::string type;      // a word of the specification, or the resource that describes an object
  std::string nullable;  // yes, no, -
  std::string item;      // a list's XML element; empty: no list

  bool is_list() const { return !item.empty(); }
};

// Resource → its fields in the specification's order.
using Fields = std::map<std::string, std::vector<Field>>;
const Fields& fields();

struct Parameter {
  std::string list, name, type, nullable;
};
const std::vector<Parameter>& parameters();

struct Code {
  int status = 0;
  std::string name, get, add;  // what it means for a GET and for an add
};
const std::vector<Code>& codes();

// The table of a resource and of each of its lists: "Customer.Answers" → "survey_answer".
const std::map<std::string, std::string>& tables();

// A scalar, and the fields that lead to it from the root; it is the last one.
struct Leaf {
  std::string root;
  std::vector<const Field*> way;

  const Field& field() const { return *way.back(); }
  std::string path() const;     // "Answers[].Text"
  std::string pointer() const;  // into JSON: "/Answers/0/Text"
};
std::vector<Leaf> leaves(const std::string& root, const Fields& of = fields());

// The rows of a table: the words of each line that is not a comment. Throws if a line has another
// number of words.
std::vector<std::vector<std::string>> rows(const std::string& text, std::size_t words);

}  // namespace interface
