#include "connectors/crm/pulled/write_back_sql.hpp"

#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/dialect/traits.hpp"

namespace surveybridge::crm {
namespace {

using Columns = std::vector<WriteShape::Column>;

// Columns of our row `r` in the arrays: m1, m2, … to match, s1, s2, … to set.
std::string ours(char letter, std::size_t i, const std::string& row = "r") {
  return row + "." + std::string(1, letter) + std::to_string(i + 1);
}

// PostgreSQL has operators for text, and none for varchar: one that another role has made for that
// would fit better.
std::string compared(const WriteShape::Column& column, const std::string& text) {
  return column.type.starts_with("character varying") ? "CAST(" + text + " AS text)" : text;
}

std::string matching(Dialect dialect, const WriteShape& shape, const std::string& row = "r") {
  std::string all;
  for (std::size_t i = 0; i < shape.match.size(); ++i) {
    all += (i == 0 ? "" : " AND ") +
           compared(shape.match[i], "t." + quoted(dialect, shape.match[i].name)) + " = " +
           compared(shape.match[i], ours('m', i, row));
  }
  return all;
}

std::string arrays(const WriteShape& shape) {
  std::string parameters, names;
  int number = 0;
  const auto add = [&](const Columns& columns, char letter) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      parameters += (number == 0 ? "" : ", ") + ("CAST(:p" + std::to_string(number + 1)) + " AS " +
                    columns[i].type + "[])";
      names += ours(letter, i).substr(2) + ", ";
      ++number;
    }
  };
  add(shape.match, 'm');
  add(shape.set, 's');
  return "unnest(" + parameters + ") WITH ORDINALITY AS r (" + names + "n)";
}

// The parameter of this number as a value of this column.
std::string parameter(Dialect dialect, const WriteShape::Column& column, int number) {
  const std::string name = ":p" + std::to_string(number);
  const auto in_session_zone = traits(dialect).in_session_zone;
  if (column.is_instant && in_session_zone != nullptr) return in_session_zone(name);
  return column.type.empty() ? name : "CAST(" + name + " AS " + column.type + ")";
}

std::string where(Dialect dialect, const Columns& match, int& number) {
  std::string all;
  for (const auto& column : match) {
    all += (all.empty() ? "" : " AND ") + quoted(dialect, column.name) + " = " +
           parameter(dialect, column, ++number);
  }
  return all;
}

// A comparison that treats NULL as a value; every dialect writes it differently.
std::string differs(Dialect dialect, const WriteShape::Column& column, const std::string& theirs,
                    const std::string& ours) {
  using Compared = WriteShape::Column::Compared;
  const auto& of = traits(dialect);
  if (column.compared == Compared::by_letter) return of.text_differs(theirs, ours);
  if (column.compared == Compared::by_word) return of.word_differs(theirs, ours);
  return of.differs(theirs, ours);
}

std::string any_differs(Dialect dialect, const Columns& set, int& number) {
  std::string any;
  for (const auto& column : set) {
    any += (any.empty() ? "" : " OR ") + differs(dialect, column, quoted(dialect, column.name),
                                                 parameter(dialect, column, ++number));
  }
  return any;
}

// The same with arrays.
std::string any_differs(Dialect dialect, const Columns& set) {
  std::string any;
  for (std::size_t i = 0; i < set.size(); ++i) {
    any += (i == 0 ? "" : " OR ") + differs(dialect, set[i],
                                            compared(set[i], "t." + quoted(dialect, set[i].name)),
                                            compared(set[i], ours('s', i)));
  }
  return any;
}

std::string listed(Dialect dialect, const Columns& columns, const std::string& table = "") {
  std::string all;
  for (const auto& column : columns)
    all += (all.empty() ? "" : ", ") + table + quoted(dialect, column.name);
  return all;
}

}  // namespace

std::string write_many(Dialect dialect, const WriteShape& shape) {
  std::string assigned;
  for (std::size_t i = 0; i < shape.set.size(); ++i)
    assigned += (i == 0 ? "" : ", ") + quoted(dialect, shape.set[i].name) + " = " + ours('s', i);
  const std::string table = quoted_path(dialect, shape.table);
  const std::string first = quoted(dialect, shape.match.at(0).name);
  return "WITH r AS (SELECT * FROM " + arrays(shape) + "), matched AS (SELECT pg_catalog.count(t." +
         first + ") AS hits FROM r LEFT JOIN " + table + " AS t ON " + matching(dialect, shape) +
         " GROUP BY r.n), changed AS (UPDATE " + table + " AS t SET " + assigned +
         " FROM r WHERE " + matching(dialect, shape) + " AND (" + any_differs(dialect, shape.set) +
         ") RETURNING r.n) SELECT (SELECT count(*) FROM changed),"
         " (SELECT count(*) FROM matched WHERE hits = 0),"
         " (SELECT count(*) FROM matched WHERE hits > 1),"
         " (SELECT string_agg(CAST(n AS text), ' ') FROM changed)";
}

std::string differing_many(Dialect dialect, const WriteShape& shape) {
  return "WITH r AS (SELECT * FROM " + arrays(shape) + ") SELECT r.n, " +
         listed(dialect, shape.set, "t.") + " FROM r JOIN " + quoted_path(dialect, shape.table) +
         " AS t ON " + matching(dialect, shape) + " WHERE (" + any_differs(dialect, shape.set) +
         ") AND NOT EXISTS (SELECT 1 FROM r AS o WHERE o.n <> r.n AND " +
         matching(dialect, shape, "o") + ") ORDER BY r.n";
}

std::string unmatched_many(Dialect dialect, const WriteShape& shape) {
  const std::string table = quoted_path(dialect, shape.table);
  return "SELECT r.n FROM " + arrays(shape) + " WHERE NOT EXISTS (SELECT 1 FROM " + table +
         " AS t WHERE " + matching(dialect, shape) + ") ORDER BY r.n";
}

std::string insert_one(Dialect dialect, const WriteShape& shape) {
  std::string names, values;
  int number = 0;
  for (const Columns* columns : {&shape.match, &shape.set}) {
    for (const auto& column : *columns) {
      names += (names.empty() ? "" : ", ") + quoted(dialect, column.name);
      values += (values.empty() ? "" : ", ") + parameter(dialect, column, ++number);
    }
  }
  return "INSERT INTO " + quoted_path(dialect, shape.table) + " (" + names + ") VALUES (" + values +
         ")";
}

std::string write_one(Dialect dialect, const WriteShape& shape) {
  int number = 0;
  std::string assigned;
  for (const auto& column : shape.set) {
    assigned += (assigned.empty() ? "" : ", ") + quoted(dialect, column.name) + " = " +
                parameter(dialect, column, ++number);
  }
  const std::string matched = where(dialect, shape.match, number);
  return "UPDATE " + quoted_path(dialect, shape.table) + " SET " + assigned + " WHERE " + matched +
         " AND (" + any_differs(dialect, shape.set, number) + ")";
}

std::string count_matches(Dialect dialect, const WriteShape& shape) {
  int number = 0;
  const std::string differing = any_differs(dialect, shape.set, number);
  return "SELECT COUNT(*), COUNT(CASE WHEN " + differing + " THEN 1 END) FROM " +
         quoted_path(dialect, shape.table) + " WHERE " + where(dialect, shape.match, number);
}

std::string differing_one(Dialect dialect, const WriteShape& shape) {
  int number = 0;
  const std::string matched = where(dialect, shape.match, number);
  return "SELECT " + listed(dialect, shape.set) + " FROM " + quoted_path(dialect, shape.table) +
         " WHERE " + matched + " AND (" + any_differs(dialect, shape.set, number) + ")";
}

}  // namespace surveybridge::crm
