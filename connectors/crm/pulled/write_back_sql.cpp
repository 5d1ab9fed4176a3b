#include "connectors/crm/pulled/write_back_sql.hpp"

#include "connectors/crm/dialect/arrays.hpp"
#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/dialect/traits.hpp"

namespace surveybridge::crm {
namespace {

using ShapeColumn = WriteShape::Column;

// PostgreSQL has operators for text, and none for varchar: one that another role has made for that
// would fit better.
std::string compared(const ShapeColumn& column, const std::string& text) {
  return column.type.starts_with("character varying") ? "CAST(" + text + " AS text)" : text;
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
          values.push_back((row.*cells).at(i));
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
      const auto& column = shape_.set[i];
      *this << (i == 0 ? "" : ", ") << quoted(dialect_, column.name) << " = " << set(i);
    }
    return *this;
  }

  Composed& add_matching(const std::string& ours = "r") {
    for (std::size_t i = 0; i < shape_.match.size(); ++i) {
      const auto& column = shape_.match[i];
      *this << (i == 0 ? "" : " AND ") << compared(column, theirs(column)) << " = ";
      *this << (arrays_ ? compared(column, ours + ".m" + std::to_string(i + 1))
                        : parameter(column, rows_.front().match.at(i)));
    }
    return *this;
  }

  Composed& add_differing() {
    for (std::size_t i = 0; i < shape_.set.size(); ++i) {
      const auto& column = shape_.set[i];
      *this << (i == 0 ? "(" : " OR ")
            << differs(dialect_, column, compared(column, theirs(column)),
                       compared(column, set(i)));
    }
    return *this << ")";
  }

  Composed& add_new_row() {
    std::string names, values;
    const auto add = [&](const std::vector<ShapeColumn>& columns, const std::vector<Value>& cells) {
      for (std::size_t i = 0; i < columns.size(); ++i) {
        names += (names.empty() ? "" : ", ") + quoted(dialect_, columns[i].name);
        values += (values.empty() ? "" : ", ") + parameter(columns[i], cells.at(i));
      }
    };
    add(shape_.match, rows_.front().match);
    add(shape_.set, rows_.front().set);
    return *this << " (" << names << ") VALUES (" << values << ")";
  }

  Statement take() { return {std::move(sql_), std::move(parameters_)}; }

 private:
  std::string set(std::size_t i) {
    return arrays_ ? "r.s" + std::to_string(i + 1)
                   : parameter(shape_.set[i], rows_.front().set.at(i));
  }

  std::string bound(Value value) {
    parameters_.push_back(std::move(value));
    return ":p" + std::to_string(parameters_.size());
  }

  std::string parameter(const ShapeColumn& column, const Value& value) {
    const std::string name = bound(value);
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
  text.add_differing();
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

}  // namespace surveybridge::crm
