#include "connectors/crm/pulled/write_back_sql.hpp"

#include <algorithm>
#include <set>

#include "connectors/crm/dialect/arrays.hpp"
#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/dialect/traits.hpp"
#include "mapping/codec/codec.hpp"

namespace surveybridge::crm {
namespace {

using ShapeColumn = WriteShape::Column;

// PostgreSQL has operators for text, and none for varchar: one that another role has made for that
// would fit better.
std::string compared(const ShapeColumn& column, const std::string& text) {
  return column.type.starts_with("character varying") ? "CAST(" + text + " AS text)" : text;
}

// Of a key: a JSON object with that member alone.
Value parameter_of(const ShapeColumn& column, const Value& value) {
  return column.key.empty() ? value : Value{mapping::write_member(column.key, value)};
}

// A comparison that treats NULL as a value; every dialect writes it differently.
std::string differs(Dialect dialect, const ShapeColumn& column, const std::string& theirs,
                    const std::string& ours) {
  const auto& of = traits(dialect);
  if (column.compared == ShapeColumn::Compared::by_letter) return of.text_differs(theirs, ours);
  if (column.compared == ShapeColumn::Compared::by_word) return of.word_differs(theirs, ours);
  return of.differs(theirs, ours);
}

// A statement, composed from its beginning to its end: a value is a parameter where it stands. With
// arrays our rows are r, with the columns m1, m2, … to match, s1, s2, … to set and their position
// n, and the CRM's table is t.
class Composed {
 public:
  Composed(Dialect dialect, const WriteShape& shape, RowsAtOnce rows)
      : dialect_(dialect),
        shape_(shape),
        rows_(rows),
        arrays_(traits(dialect).takes_arrays),
        table_(quoted_path(dialect, shape.table) + (arrays_ ? " AS t" : "")) {}

  Composed& operator<<(std::string_view sql) {
    sql_ += sql;
    return *this;
  }
  bool arrays() const { return arrays_; }
  const std::string& table() const { return table_; }
  std::string position() const { return arrays_ ? "r.n" : "1"; }
  std::string theirs(const ShapeColumn& column) const {
    return (arrays_ ? "t." : "") + quoted(dialect_, column.name);
  }

  Composed& add_arrays() {
    std::string names;
    const auto add = [&](const std::vector<ShapeColumn>& columns, char letter, auto cells) {
      for (std::size_t i = 0; i < columns.size(); ++i) {
        std::vector<Value> values;
        for (const auto& row : rows_)
          values.push_back(parameter_of(columns[i], (row.*cells).at(i)));
        sql_ += (names.empty() ? "unnest(CAST(" : ", CAST(") + bound(array_literal(values)) +
                " AS " + columns[i].type + "[])";
        names += letter + std::to_string(i + 1) + ", ";
      }
    };
    add(shape_.match, 'm', &WriteRow::match);
    add(shape_.set, 's', &WriteRow::set);
    return *this << ") WITH ORDINALITY AS r (" << names << "n)";
  }

  Composed& add_assignments() {
    for (std::size_t i = 0; i < shape_.set.size(); ++i) {
      if (!is_first_of_column(i)) continue;
      const auto& column = shape_.set[i];
      *this << (i == 0 ? "" : ", ") << quoted(dialect_, column.name) << " = " << assigned(i);
    }
    return *this;
  }

  Composed& add_matching(const std::string& ours = "r") {
    for (std::size_t i = 0; i < shape_.match.size(); ++i) {
      const auto& column = shape_.match[i];
      *this << (i == 0 ? "" : " AND ") << compared(column, theirs(column));
      if (column.is_untyped) {
        add_text_or_integer(column, rows_.front().match.at(i));
        continue;
      }
      *this << " = ";
      *this << (arrays_ ? compared(column, ours + ".m" + std::to_string(i + 1))
                        : parameter(column, rows_.front().match.at(i)));
    }
    return *this;
  }

  // `without_object`: TRUE or FALSE for a column without the JSON object that a key is of.
  Composed& add_differing(const std::string& without_object = "TRUE") {
    if (shape_.set.empty()) return *this << "1 = 0";
    for (std::size_t i = 0; i < shape_.set.size(); ++i)
      *this << (i == 0 ? "(" : " OR ") << differing(i, without_object);
    return *this << ")";
  }

  Composed& add_new_row() {
    const WriteRow& row = rows_.front();
    std::string names, values;
    const auto add = [&](const ShapeColumn& column, const std::string& value) {
      names += (names.empty() ? "" : ", ") + quoted(dialect_, column.name);
      values += (values.empty() ? "" : ", ") + value;
    };
    for (std::size_t i = 0; i < shape_.match.size(); ++i)
      add(shape_.match[i], parameter(shape_.match[i], row.match.at(i)));
    const auto ours = [&](std::size_t i) { return parameter(shape_.set[i], row.set.at(i)); };
    for (std::size_t i = 0; i < shape_.set.size(); ++i) {
      const auto& column = shape_.set[i];
      if (is_first_of_column(i))
        add(column, column.key.empty() ? ours(i) : merged(i, "NULL", ours));
    }
    return *this << " (" << names << ") VALUES (" << values << ")";
  }

  // The rows that match ours. `beside`: what stands before our rows, where they are an array.
  Composed& add_matches(const std::string& beside) {
    *this << table_;
    if (arrays_) (*this << beside).add_arrays();
    return (*this << " WHERE ").add_matching();
  }

  std::string their_key() const {
    return traits(dialect_).key((arrays_ ? "t." : "") + quoted(dialect_, shape_.primary_key));
  }
  Composed& add_key(const std::string& key) {
    return *this << " AND " << their_key() << " = "
                 << parameter({"", std::string(traits(dialect_).text_type)}, key);
  }

  Statement take() { return {std::move(sql_), std::move(parameters_)}; }

 private:
  // A key is a text, and the integer of that text is the same key.
  void add_text_or_integer(const ShapeColumn& column, const Value& value) {
    const auto integer = [&] { return "CAST(" + parameter(column, value) + " AS INTEGER)"; };
    *this << " IN (" << parameter(column, value) << ", CASE WHEN CAST(" << integer()
          << " AS TEXT) = " << parameter(column, value) << " THEN " << integer() << " END)";
  }

  bool is_first_of_column(std::size_t i) const {
    return std::ranges::find(shape_.set, shape_.set[i].name, &ShapeColumn::name) ==
           shape_.set.begin() + static_cast<std::ptrdiff_t>(i);
  }

  // An object with all our keys of this column. `ours`: by the position in `set`.
  template <typename Ours>
  std::string merged(std::size_t first, std::string object, const Ours& ours) const {
    const auto& column = shape_.set[first];
    for (std::size_t i = first; i < shape_.set.size(); ++i)
      if (shape_.set[i].name == column.name) object = traits(dialect_).json_merged(object, ours(i));
    return column.type.empty() ? object : "CAST(" + object + " AS " + column.type + ")";
  }

  std::string assigned(std::size_t i) {
    const auto& column = shape_.set[i];
    if (column.key.empty()) return set(i);
    const std::string is = theirs(column);
    return "CASE WHEN " + traits(dialect_).is_json_object(is) + " THEN COALESCE(" +
           merged(i, is, [&](std::size_t at) { return set(at); }) + ", " + is + ") ELSE " + is +
           " END";
  }

  // Of a key: would the object be another one? Both are spelled by the database.
  std::string differing(std::size_t i, const std::string& without_object) {
    const auto& column = shape_.set[i];
    const std::string is = theirs(column);
    if (column.key.empty())
      return differs(dialect_, column, compared(column, is), compared(column, set(i)));
    const auto& of = traits(dialect_);
    const std::string none(of.json_without_members);
    return "CASE WHEN " + of.is_json_object(is) + " THEN " +
           of.text_differs(of.json_merged(is, set(i)), of.json_merged(is, none)) + " ELSE " +
           without_object + " END";
  }

  std::string set(std::size_t i) {
    return arrays_ ? "r.s" + std::to_string(i + 1)
                   : parameter(shape_.set[i], rows_.front().set.at(i));
  }

  std::string bound(Value value) {
    parameters_.push_back(std::move(value));
    return ":p" + std::to_string(parameters_.size());
  }

  std::string parameter(const ShapeColumn& column, const Value& value) {
    const std::string name = bound(parameter_of(column, value));
    const auto in_session_zone = traits(dialect_).in_session_zone;
    if (column.is_instant && in_session_zone != nullptr) return in_session_zone(name);
    return column.type.empty() ? name : "CAST(" + name + " AS " + column.type + ")";
  }

  Dialect dialect_;
  const WriteShape& shape_;
  RowsAtOnce rows_;
  bool arrays_;
  std::string table_, sql_;
  std::vector<Value> parameters_;
};

}  // namespace

Statement count_matches(Dialect dialect, const WriteShape& shape, RowsAtOnce rows) {
  Composed text(dialect, shape, rows);
  const std::string first = text.theirs(shape.match.front());
  const std::string count = std::string(traits(dialect).functions) + "COUNT(";
  text << "SELECT " << text.position() << ", " << count << first << "), " << count << "CASE WHEN "
       << first << " IS NOT NULL AND ";
  text.add_differing() << " THEN 1 END) FROM ";
  if (!text.arrays()) return (text << text.table() << " WHERE ").add_matching().take();
  (text << text.table() << " RIGHT JOIN ").add_arrays() << " ON ";
  return (text.add_matching() << " GROUP BY r.n").take();
}

Statement update_rows(Dialect dialect, const WriteShape& shape, RowsAtOnce rows) {
  Composed text(dialect, shape, rows);
  text << (text.arrays() ? "WITH changed AS (" : "") << "UPDATE " << text.table() << " SET ";
  text.add_assignments();
  if (text.arrays()) (text << " FROM ").add_arrays();
  (text << " WHERE ").add_matching() << " AND ";
  text.add_differing("FALSE");
  return (text << (text.arrays()
                       ? " RETURNING r.n) SELECT n, pg_catalog.count(*) FROM changed GROUP BY n"
                       : ""))
      .take();
}

Statement differing_rows(Dialect dialect, const WriteShape& shape, RowsAtOnce rows) {
  Composed text(dialect, shape, rows);
  if (text.arrays()) (text << "WITH r AS (SELECT * FROM ").add_arrays() << ") ";
  text << "SELECT " << text.position();
  for (const auto& column : shape.set)
    text << ", " << text.theirs(column);
  text << " FROM " << (text.arrays() ? "r, " : "") << text.table() << " WHERE ";
  text.add_matching() << " AND ";
  text.add_differing();
  if (!text.arrays()) return text.take();
  text << " AND NOT EXISTS (SELECT 1 FROM r AS o WHERE o.n <> r.n AND ";
  return (text.add_matching("o") << ") ORDER BY r.n").take();
}

Statement insert_row(Dialect dialect, const WriteShape& shape, const WriteRow& row) {
  Composed text(dialect, shape, {&row, 1});
  return (text << "INSERT INTO " << quoted_path(dialect, shape.table)).add_new_row().take();
}

Statement insert_no_row(Dialect dialect, const WriteShape& shape) {
  std::string columns;
  std::set<std::string> named;
  for (const auto* list : {&shape.match, &shape.set})
    for (const auto& column : *list)
      if (named.insert(column.name).second)
        columns += (columns.empty() ? "" : ", ") + quoted(dialect, column.name);
  const std::string table = quoted_path(dialect, shape.table);
  return {"INSERT INTO " + table + " (" + columns + ") SELECT " + columns + " FROM " + table +
              " WHERE 1 = 0",
          {}};
}

namespace {

WriteShape without_set(WriteShape shape) {
  shape.set.clear();
  return shape;
}

}  // namespace

Statement keys_of_matches(Dialect dialect, const WriteShape& shape, const WriteRow& row) {
  const WriteShape matching = without_set(shape);
  Composed text(dialect, matching, {&row, 1});
  return (text << "SELECT " << text.their_key() << " FROM ").add_matches(", ").take();
}

Statement select_made(Dialect dialect, const WriteShape& shape, const MadeRow& made) {
  const WriteShape matching = without_set(shape);
  Composed text(dialect, matching, {&made.row, 1});
  text << "SELECT " << (text.arrays() ? "t.*" : "*") << " FROM ";
  return text.add_matches(", ").add_key(made.key).take();
}

Statement delete_made(Dialect dialect, const WriteShape& shape, const MadeRow& made) {
  const WriteShape matching = without_set(shape);
  Composed text(dialect, matching, {&made.row, 1});
  return (text << "DELETE FROM ").add_matches(" USING ").add_key(made.key).take();
}

}  // namespace surveybridge::crm
