// The pulled tables compared with the lists of the service: every row of every table, each cell as
// text.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tests/program/crm.hpp"

namespace program {

using Cells = std::vector<std::string>;

struct ListedTable {
  std::string name;
  std::vector<std::string> columns;  // all but changed_at, which the service does not list
  std::vector<Cells> rows;
};

// Everything that the service lists now, as rows.
class ServiceLists {
 public:
  explicit ServiceLists(const std::string& base_url);
  const std::vector<ListedTable>& tables() const { return tables_; }
  std::size_t rows_in(const std::string& table) const;

 private:
  std::vector<ListedTable> tables_;
};

// The rows of such a table in the CRM.
std::vector<Cells> stored(Crm& crm, const ListedTable& table);

// The first difference from the table's rows, in any order: "survey_customer: … instead of …";
// empty: none.
std::string first_difference(std::vector<Cells> found, const ListedTable& expected);

// Everything in the bridge's tables and the orders that a run without news must not change; on
// PostgreSQL with each row's version, so that a rewrite is found too.
std::map<std::string, std::vector<Cells>> snapshot(Crm& crm, Server server);

}  // namespace program
