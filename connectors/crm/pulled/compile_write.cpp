// Checks a write-back against the description and the table: every problem in one run.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "config/service_list.hpp"
#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/pulled/catalog.hpp"
#include "connectors/crm/pulled/column_conversion.hpp"
#include "connectors/crm/pulled/pull_store.hpp"
#include "connectors/crm/pulled/write_back.hpp"
#include "connectors/crm/pulled/write_mark.hpp"
#include "connectors/crm/schema/bridge_tables.hpp"
#include "mapping/values/dates.hpp"
#include "mapping/values/text.hpp"

namespace surveybridge::crm {
namespace {

using config::Problem;
using mapping::Path;
using mapping::Resource;
using mapping::Type;

bool is_ours(const std::string& name) {
  return std::ranges::any_of(every_table(), [&](const BridgeTable& own) {
    return mapping::same_name(own.table.name, name);
  });
}

// A type without a kind that a parameter is cast to has the same text on both sides.
WriteShape::Column::Compared comparison_of(const CatalogColumn& column) {
  using Compared = WriteShape::Column::Compared;
  const bool is_number = column.kind == ColumnKind::integer || column.kind == ColumnKind::decimal ||
                         column.kind == ColumnKind::real;
  if (!column.words.empty() && !is_number) return Compared::by_word;
  const bool as_text = column.kind == ColumnKind::other && !column.type.empty();
  return as_text || column.kind == ColumnKind::text ? Compared::by_letter : Compared::as_it_is;
}

// Others, such as bytes, may not become a text.
bool is_text_or_integer(const CatalogColumn& column) {
  return column.kind == ColumnKind::integer || column.kind == ColumnKind::text ||
         column.kind == ColumnKind::other;
}

// One write and its checks.
class Compiling {
 public:
  Compiling(Database& database, const Resource& root, const config::Write& write,
            const std::string& time_zone)
      : database_(database),
        root_(root),
        write_(write),
        key_("pull." + config::list_of(root.name) + ".write") {
    compiled_.shape.table = write.table;
    compiled_.time_zone = time_zone;
    compiled_.push = write.push;
    compiled_.correlate = write.correlate;
    compiled_.feedback = write.feedback;
    compiled_.insert = write.insert;
    compiled_.forgets = write.forget != config::Write::Forget::nothing;
    compiled_.deletes = write.forget == config::Write::Forget::deletes;
    compiled_.mark = mark_of(write);
  }

  std::variant<CompiledWrite, std::vector<Problem>> run() {
    check_names();
    if (problems_.empty()) read_table();
    if (problems_.empty()) {
      add_cells(write_.match, "match", compiled_.shape.match, compiled_.match);
      add_cells(write_.set, "set", compiled_.shape.set, compiled_.set);
      compiled_.when =
          compile_conditions(write_.when, root_, compiled_.time_zone, key_ + ".when", problems_);
      if (write_.forget == config::Write::Forget::empties) check_nullable();
      if (write_.insert) check_new_rows();
      note_primary_key();
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
              fmt::format("the table \"{}\" cannot be read: {}{}", write_.table, error.what(),
                          grant_for(database_, compiled_, error.code)));
    }
  }

  void add_cells(const std::vector<config::Write::Cell>& cells, const std::string& part,
                 std::vector<WriteShape::Column>& columns,
                 std::vector<CompiledWrite::Cell>& compiled) {
    for (const auto& cell : cells) {
      const std::string where = "." + part + "." + cell.shown();
      const auto path = path_of(cell, where);
      const CatalogColumn* found = column_named(cell, where);
      if ((!cell.value && !path) || !found) continue;
      const CatalogColumn column = cell.key.empty() ? *found : key_of(*found, cell, where);
      if (column.is_computed && part == "set")
        problem(cell.place, where, "the database makes the column's value itself");
      const bool as_it_is = path && cell.meanings.empty() && cell.date.empty();
      if (as_it_is && !can_convert(path->type(), column.kind)) clash(cell, where, *path, column);
      columns.push_back({column.name, column.type, column.kind == ColumnKind::instant,
                         comparison_of(column), cell.key,
                         column.kind == ColumnKind::other &&
                             traits(database_.dialect()).odd_key_type != nullptr});
      compiled.push_back(cell_of(cell, where, path, column));
      const bool is_text = as_it_is && path->type() == Type::text;
      if (is_text && !column.letters.empty() && part == "set")
        compiled_.remarks.push_back(
            fmt::format("{}{}: the column's character set is {}: a text with a letter that it lacks"
                        " is not written",
                        key_, where, column.letters));
    }
  }

  // What a key of the column can hold: a value of any type, or nothing.
  CatalogColumn key_of(CatalogColumn column, const config::Write::Cell& cell,
                       const std::string& where) {
    const auto& of = traits(database_.dialect());
    if (of.json_merged == nullptr)
      problem(cell.place, where,
              fmt::format("a key of a JSON object cannot be written into {}", of.product));
    std::vector<std::string_view> types;
    std::ranges::copy_if(of.json_types, std::back_inserter(types),
                         [](std::string_view type) { return !type.empty(); });
    const bool of_text = (column.kind == ColumnKind::text || column.kind == ColumnKind::other) &&
                         column.words.empty();
    const bool fits =
        types.empty() ? of_text : std::ranges::find(types, column.type) != types.end();
    if (!fits)
      problem(cell.place, where,
              fmt::format("a key is of a JSON object, in a column of {}",
                          types.empty() ? "text" : fmt::format("{}", fmt::join(types, " or "))));
    column.kind = ColumnKind::other;
    column.required = false;
    column.room.reset();
    return column;
  }

  std::optional<Path> path_of(const config::Write::Cell& cell, const std::string& where) {
    if (cell.value) return std::nullopt;
    auto path = Path::parse(cell.path, root_);
    if (const auto* fault = std::get_if<std::string>(&path)) {
      problem(cell.place, where, fmt::format("\"{}\": {}", cell.path, *fault));
      return std::nullopt;
    }
    return std::get<Path>(std::move(path));
  }

  // A constant of the configuration, which the column must be able to hold.
  Value constant(const config::Constant& written, const config::TextPlace& place,
                 const std::string& where, const CatalogColumn& column) {
    const Value value = value_of_constant(written, compiled_.time_zone);
    const auto held = convert_to_column(value, column.kind, compiled_.time_zone);
    if (!held) {
      problem(place, where,
              fmt::format("a column of {} cannot hold this value", name_of(column.kind)));
    }
    const auto* text = held ? std::get_if<std::string>(&*held) : nullptr;
    if (text != nullptr) note_room(std::ssize(config::code_points(*text)), where, column);
    return value;
  }

  void note_room(std::int64_t characters, const std::string& where, const CatalogColumn& column) {
    if (column.room && characters > *column.room)
      compiled_.remarks.push_back(
          fmt::format("{}{}: the column has room for {} characters, and not for {}", key_, where,
                      *column.room, characters));
  }

  CompiledWrite::Cell cell_of(const config::Write::Cell& cell, const std::string& where,
                              const std::optional<Path>& path, const CatalogColumn& column) {
    CompiledWrite::Cell made{path, column.kind};
    made.takes_null = !column.required;
    made.words = column.words;
    if (cell.value) made.constant = constant(*cell.value, cell.place, where, column);
    for (const auto& meaning : cell.meanings)
      made.meanings.emplace_back(meaning.from, constant(meaning.to, meaning.place, where, column));
    if (cell.otherwise) made.otherwise = constant(*cell.otherwise, cell.place, where, column);
    made.one_way = cell.one_way;
    made.max_length = cell.max_length;
    if (cell.max_length && cell.key.empty() && column.kind != ColumnKind::text)
      problem(cell.place, where, "max_length is for a column of text");
    else if (cell.max_length && cell.key.empty())
      note_room(*cell.max_length, where + ".max_length", column);
    if (cell.date.empty()) return made;
    auto pattern = mapping::DatePattern::parse(cell.date);
    if (const auto* fault = std::get_if<std::string>(&pattern)) {
      problem(cell.place, where, "date: " + *fault);
    } else {
      made.date = std::get<mapping::DatePattern>(std::move(pattern));
    }
    return made;
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
      const bool empties = cell.key.empty() && column != columns_.end();
      if (!empties || !column->required) continue;
      problem(cell.place, ".set." + cell.column,
              "forget = true empties it, but the column is NOT NULL");
    }
  }

  void note_primary_key() {
    std::vector<CatalogColumn> key;
    std::ranges::copy_if(columns_, std::back_inserter(key), &CatalogColumn::in_key);
    if (key.size() == 1 && is_text_or_integer(key.front()))
      compiled_.shape.primary_key = key.front().name;
    if (compiled_.deletes && compiled_.shape.primary_key.empty())
      problem(write_.place, ".forget",
              fmt::format("\"delete\" needs a primary key of one column, an integer or a text, by"
                          " which a row that was made is known again: the table \"{}\" has none",
                          write_.table));
  }

  void check_new_rows() {
    if (const auto engine = engine_without_transactions(database_, write_.table); !engine.empty())
      problem(write_.place, ".insert",
              fmt::format("the table \"{}\" is of the engine {}, which has no transactions: a row"
                          " that has to be taken back would stay; ENGINE=InnoDB has them",
                          write_.table, engine));
    note_needed();
  }

  void note_needed() {
    for (const auto& column : columns_) {
      const bool named = std::ranges::find(write_.match, column.name,
                                           &config::Write::Cell::column) != write_.match.end() ||
                         std::ranges::find(write_.set, column.name, &config::Write::Cell::column) !=
                             write_.set.end();
      if (column.required && !column.is_made && !named) compiled_.needed.push_back(column.name);
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

void add_notes(const Resource& root, const CompiledWrite& write, std::vector<std::string>& notes) {
  const std::string trail = "pull." + config::list_of(root.name) + ".write";
  if (!write.needed.empty())
    notes.push_back(
        fmt::format("{}: a new row of {} needs a value in {}, and the write gives none: unless a"
                    " trigger does, no row is made",
                    trail, write.shape.table, fmt::join(write.needed, ", ")));
  // Columns that a value must be in.
  const auto full = [&](bool also_constant) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < write.set.size(); ++i)
      if (!write.set[i].takes_null && (also_constant || write.set[i].path))
        names.push_back(write.shape.set[i].name);
    return names;
  };
  if (const auto names = full(false); write.insert && write.when.empty() && !names.empty())
    notes.push_back(fmt::format(
        "{}: no row of {} is made without a value in {} (NOT NULL), and a person is told of such a"
        " record; where it only waits for its answer, `when` leaves it out",
        trail, write.shape.table, fmt::join(names, ", ")));
  if (const auto names = full(true); write.deletes && !names.empty())
    notes.push_back(fmt::format(
        "{}.forget: \"delete\" cannot empty {} (NOT NULL) in a row of {} that was not made here:"
        " `forget` then erases nothing until that row is deleted in the CRM",
        trail, fmt::join(names, ", "), write.shape.table));
  notes.insert(notes.end(), write.remarks.begin(), write.remarks.end());
}

}  // namespace

std::variant<CompiledWrite, std::vector<Problem>> compile(Database& database, const Resource& root,
                                                          const config::Write& write,
                                                          const std::string& time_zone) {
  return Compiling(database, root, write, time_zone).run();
}

std::vector<Problem> check_writes(Database& database, const Resource& root,
                                  const std::vector<config::Write>& writes,
                                  std::vector<std::string>* notes) {
  std::vector<Problem> all;
  for (const auto& write : writes) {
    auto compiled = compile(database, root, write, "UTC");
    if (auto* problems = std::get_if<std::vector<Problem>>(&compiled)) {
      all.insert(all.end(), problems->begin(), problems->end());
      continue;
    }
    if (notes != nullptr) add_notes(root, std::get<CompiledWrite>(compiled), *notes);
  }
  return all;
}

}  // namespace surveybridge::crm
