#include "connectors/crm/pulled/write_back_sql.hpp"

#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/dialect/traits.hpp"

namespace surveybridge::crm {
namespace {

using Columns = std::vector<WriteShape::Column>;

// Columns of our row `r` in the arrays: m1, m2, … to match, s1, s2, … to set.
std::string ours(char letter, std::size_t i) {
  return "r." + std::string(1, letter) + std::to_string(i + 1);
}

std::string matching(Dialect dialect, const WriteShape& shape) {
  std::string all;
  for (std::size_t i = 0; i < shape.match.size(); ++i) {
    all +=
        (i == 0 ? "t." : " AND t.") + quoted(dialect, shape.match[i].name) + " = " + ours('m', i);
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
  return column.is_instant && in_session_zone != nullptr ? in_session_zone(name) : name;
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
std::string differs(Dialect dialect, const WriteShape::Column& column, int number) {
  return traits(dialect).differs(quoted(dialect, column.name), parameter(dialect, column, number));
}

}  // namespace

std::string write_many(Dialect dialect, const WriteShape& shape) {
  std::string assigned, changed;
  for (std::size_t i = 0; i < shape.set.size(); ++i) {
    const std::string column = quoted(dialect, shape.set[i].name);
    assigned += (i == 0 ? "" : ", ") + column + " = " + ours('s', i);
    changed += (i == 0 ? "t." : " OR t.") + column + " IS DISTINCT FROM " + ours('s', i);
  }
  const std::string table = quoted_path(dialect, shape.table);
  const std::string first = quoted(dialect, shape.match.at(0).name);
  return "WITH r AS (SELECT * FROM " + arrays(shape) + "), matched AS (SELECT count(t." + first +
         ") AS hits FROM r LEFT JOIN " + table + " AS t ON " + matching(dialect, shape) +
         " GROUP BY r.n), changed AS (UPDATE " + table + " AS t SET " + assigned +
         " FROM r WHERE " + matching(dialect, shape) + " AND (" + changed +
         ") RETURNING 1) SELECT (SELECT count(*) FROM changed),"
         " (SELECT count(*) FROM matched WHERE hits = 0),"
         " (SELECT count(*) FROM matched WHERE hits > 1)";
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
      const std::string value = parameter(dialect, column, ++number);
      names += (names.empty() ? "" : ", ") + quoted(dialect, column.name);
      values += (values.empty() ? "" : ", ") +
                (column.type.empty() ? value : "CAST(" + value + " AS " + column.type + ")");
    }
  }
  return "INSERT INTO " + quoted_path(dialect, shape.table) + " (" + names + ") VALUES (" + values +
         ")";
}

std::string write_one(Dialect dialect, const WriteShape& shape) {
  int number = 0;
  std::string assigned, changed;
  for (const auto& column : shape.set) {
    assigned += (assigned.empty() ? "" : ", ") + quoted(dialect, column.name) + " = " +
                parameter(dialect, column, ++number);
  }
  const std::string matched = where(dialect, shape.match, number);
  for (const auto& column : shape.set) {
    changed += (changed.empty() ? "" : " OR ") + differs(dialect, column, ++number);
  }
  return "UPDATE " + quoted_path(dialect, shape.table) + " SET " + assigned + " WHERE " + matched +
         " AND (" + changed + ")";
}

std::string count_matches(Dialect dialect, const WriteShape& shape) {
  int number = 0;
  const std::string matched = where(dialect, shape.match, number);
  return "SELECT COUNT(*) FROM " + quoted_path(dialect, shape.table) + " WHERE " + matched;
}

}  // namespace surveybridge::crm
