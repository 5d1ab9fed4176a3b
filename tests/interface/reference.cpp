#include "tests/interface/reference.hpp"

#include <map>
#include <set>

#include <fmt/format.h>

#include "mapping/tables/tables.hpp"

namespace interface {
namespace {

namespace mapping = surveybridge::mapping;

constexpr const char* kOpening =
    "# Reference\n\n"
    "Made from the descriptions in the code by `tests/interface`; do not edit it. After a change\n"
    "there, `BRIDGE_UPDATE_GOLDEN=1 build/dev/bin/interface_tests --gtest_filter='Reference*'`\n"
    "writes it anew. The settings are in `CONFIG.md`.\n";

// A cell of a table: a bar would end it, so it is escaped.
std::string cell(const std::string& text) {
  std::string out;
  for (const char c : text)
    out += c == '|' ? "\\|" : std::string(1, c);
  return out;
}

std::string code(const std::string& text) {
  return text.empty() ? "" : "`" + cell(text) + "`";
}

std::string type_of(const mapping::Field& field) {
  static const std::map<mapping::Type, std::string> names = {
      {mapping::Type::boolean, "boolean"}, {mapping::Type::integer, "integer"},
      {mapping::Type::decimal, "decimal"}, {mapping::Type::text, "string"},
      {mapping::Type::guid, "GUID"},       {mapping::Type::instant, "date-time"},
      {mapping::Type::base64, "base64"},   {mapping::Type::enumeration, "enumeration"},
  };
  const std::string name =
      field.type == mapping::Type::object ? std::string(field.of->name) : names.at(field.type);
  return field.list ? "list of " + name : name;
}

struct Resources {
  std::string out = "\n## Resources\n";
  std::set<const mapping::Resource*> told = {};

  void tell(const mapping::Resource& resource) {
    if (!told.insert(&resource).second) return;
    out += fmt::format("\n### {}\n\n", resource.name);
    if (!resource.table.empty()) out += fmt::format("Stored in `{}`.\n\n", resource.table);
    out += "| Field | Type | XML item | Table |\n|---|---|---|---|\n";
    for (const mapping::Field& field : resource.fields)
      out += fmt::format("| `{}` | {} | {} | {} |\n", field.name, type_of(field),
                         code(std::string(field.xml_item)), code(std::string(field.table)));
    for (const mapping::Field& field : resource.fields)
      if (field.of != nullptr) tell(*field.of);
  }
};

std::string resources() {
  Resources all;
  for (const auto* root : {&mapping::import_batch(), &mapping::customer(), &mapping::rating(),
                           &mapping::bouncer(), &mapping::data_column(), &mapping::status()})
    all.tell(*root);
  return all.out;
}

std::string type_of(mapping::ColumnType type) {
  switch (type) {
    case mapping::ColumnType::boolean:
      return "boolean";
    case mapping::ColumnType::integer:
      return "integer";
    case mapping::ColumnType::decimal:
      return "decimal";
    case mapping::ColumnType::instant:
      return "instant, UTC";
    case mapping::ColumnType::bytes:
      return "bytes";
    case mapping::ColumnType::key_text:
    case mapping::ColumnType::text:
      break;
  }
  return "text";
}

std::string tables_text() {
  std::string out = "\n## Tables\n";
  for (const auto* root : {&mapping::customer(), &mapping::rating(), &mapping::bouncer(),
                           &mapping::status(), &mapping::data_column()})
    for (const mapping::Table& table : mapping::tables_of(*root)) {
      out += fmt::format("\n### {}\n\n| Column | Type | |\n|---|---|---|\n", table.name);
      for (std::size_t i = 0; i < table.columns.size(); ++i)
        out += fmt::format("| `{}` | {} | {} |\n", table.columns[i].name,
                           type_of(table.columns[i].type), i < table.key_size ? "key" : "");
    }
  return out;
}

}  // namespace

std::string reference_page() {
  return kOpening + resources() + tables_text();
}

}  // namespace interface
