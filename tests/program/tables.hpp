// The pulled tables side by side with what the service lists: every row of every table, each cell
// as text.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tests/program/crm.hpp"

namespace program {

using Cells = std::vector<std::string>;

struct ListedTable {
  std::string name;
  std::vector<std::string> columns;  // all but changed_at, which is ours
  std::vector<Cells> rows;
};

// Everything that a service lists now, as the rows it should be.
class ServiceLists {
 public:
  explicit ServiceLists(const std::string& base_url);
  const std::vector<ListedTable>& tables() const { return tables_; }
  std::size_t rows_in(const std::string& table) const;

 private:
  std::vector<ListedTable> tables_;
};

// The rows that the CRM holds of such a table.
std::vector<Cells> stored(Crm& crm, const ListedTable& table);

// Where rows in any order differ from the table's: "survey_customer: … instead of …"; empty:
// nowhere.
std::string first_difference(std::vector<Cells> found, const ListedTable& expected);

// Everything in the bridge's tables and the orders that a run which finds nothing new must leave
// as it is; in PostgreSQL with each row's version, so that a rewrite shows even without a change.
std::map<std::string, std::vector<Cells>> snapshot(Crm& crm, Server server);

}  // namespace program
