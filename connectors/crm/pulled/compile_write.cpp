// Checks a write-back against the description and the table: every problem in one run.
#include <algorithm>

#include <fmt/format.h>

#include "connectors/crm/pulled/catalog.hpp"
#include "connectors/crm/pulled/column_conversion.hpp"
#include "connectors/crm/pulled/pull_store.hpp"
#include "connectors/crm/pulled/write_back.hpp"
#include "connectors/crm/schema/bridge_tables.hpp"
#include "mapping/values/text.hpp"

namespace surveybridge::crm {
namespace {

using config::Problem;
using mapping::Path;
using mapping::Resource;

std::string list_of(const Resource& root) {
  if (&root == &mapping::rating()) return "ratings";
  return &root == &mapping::bouncer() ? "bouncers" : "customers";
}

bool is_ours(const std::string& name) {
  return std::ranges::any_of(every_table(), [&](const BridgeTable& own) {
    return mapping::same_name(own.table.name, name);
  });
}

// One write and its checks.
class Compiling {
 public:
  Compiling(Database& database, const Resource& root, const config::Write& write,
            const std::string& time_zone)
      : database_(database), root_(root), write_(write), key_("pull." + list_of(root) + ".write") {
    compiled_.shape.table = write.table;
    compiled_.time_zone = time_zone;
  }

  std::variant<CompiledWrite, std::vector<Problem>> run() {
    check_names();
    if (problems_.empty()) read_table();
    if (problems_.empty()) {
      add_cells(write_.match, "match", compiled_.shape.match, compiled_.match);
      add_cells(write_.set, "set", compiled_.shape.set, compiled_.set);
      if (write_.forget) check_nullable();
    }
    if (problems_.empty()) try_for_no_row();
    if (!problems_.empty()) return std::move(problems_);
    return std::move(compiled_);
  }

 private:
  void problem(const config::TextPlace& place, const std::string& part, std::string rule) {
    problems_.push_back({place, key_ + part, std::move(rule)});
  }

  void check_names() {
    if (write_.table.empty()) problem(write_.place, ".table", "a write needs a table");
    if (write_.match.empty()) problem(write_.place, ".match", "without a match it has no row");
    if (write_.set.empty()) problem(write_.place, ".set", "there is nothing to set");
    const std::string name = write_.table.substr(write_.table.rfind('.') + 1);
    if (is_ours(name)) {
      problem(write_.place, ".table", fmt::format("{} is a table of the bridge's own", name));
    }
  }

  void read_table() {
    try {
      columns_ = real_columns(database_, write_.table);
    } catch (const DatabaseError& error) {
      if (error.kind != DatabaseError::Kind::other) throw;
      problem(write_.place, ".table",
              fmt::format("the table \"{}\" cannot be read: {}", write_.table, error.what()));
    }
  }

  void add_cells(const std::vector<config::Write::Cell>& cells, const std::string& part,
                 std::vector<WriteShape::Column>& columns,
                 std::vector<CompiledWrite::Cell>& compiled) {
    for (const auto& cell : cells) {
      const std::string where = "." + part + "." + cell.column;
      auto path = Path::parse(cell.path, root_);
      const auto* fault = std::get_if<std::string>(&path);
      if (fault) problem(cell.place, where, fmt::format("\"{}\": {}", cell.path, *fault));
      const CatalogColumn* column = column_named(cell, where);
      if (fault || !column) continue;
      const auto& good = std::get<Path>(path);
      if (!can_convert(good.type(), column->kind)) clash(cell, where, good, *column);
      columns.push_back({column->name, column->type});
      compiled.push_back({good, column->kind});
    }
  }

  const CatalogColumn* column_named(const config::Write::Cell& cell, const std::string& where) {
    const auto found = std::ranges::find(columns_, cell.column, &CatalogColumn::name);
    if (found != columns_.end()) return &*found;
    std::vector<std::string> names;
    for (const auto& column : columns_)
      names.push_back(column.name);
    problem(cell.place, where,
            fmt::format("the table \"{}\" has no column \"{}\"{}", write_.table, cell.column,
                        config::suggestion(cell.column, names)));
    return nullptr;
  }

  void check_nullable() {
    for (const auto& cell : write_.set) {
      const auto column = std::ranges::find(columns_, cell.column, &CatalogColumn::name);
      if (column == columns_.end() || !column->required) continue;
      problem(cell.place, ".set." + cell.column,
              "forget = true empties it, but the column is NOT NULL");
    }
  }

  void clash(const config::Write::Cell& cell, const std::string& where, const Path& path,
             const CatalogColumn& column) {
    const std::string type = column.type.empty() ? std::string(name_of(column.kind)) : column.type;
    problem(cell.place, where,
            fmt::format("\"{}\" is {}, which a column of {} cannot hold", cell.path,
                        name_of(path.type()), type));
  }

  void try_for_no_row() {
    try {
      refused_rows(database_, compiled_, {});
    } catch (const DatabaseError& error) {
      if (error.kind != DatabaseError::Kind::other) throw;
      problem(write_.place, "",
              fmt::format("the table \"{}\" cannot be written: {}", write_.table, error.what()));
    }
  }

  Database& database_;
  const Resource& root_;
  const config::Write& write_;
  std::string key_;
  std::vector<CatalogColumn> columns_;
  CompiledWrite compiled_;
  std::vector<Problem> problems_;
};

}  // namespace

std::variant<CompiledWrite, std::vector<Problem>> compile(Database& database, const Resource& root,
                                                          const config::Write& write,
                                                          const std::string& time_zone) {
  return Compiling(database, root, write, time_zone).run();
}

std::vector<Problem> check_writes(Database& database, const Resource& root,
                                  const std::vector<config::Write>& writes) {
  std::vector<Problem> all;
  for (const auto& write : writes) {
    auto compiled = compile(database, root, write, "UTC");
    if (auto* problems = std::get_if<std::vector<Problem>>(&compiled)) {
      all.insert(all.end(), problems->begin(), problems->end());
    }
  }
  return all;
}

}  // namespace surveybridge::crm
