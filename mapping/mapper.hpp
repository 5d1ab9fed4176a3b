// Rows of a CRM query become customers to import, or a reason each (interface document 2.2). Pure.
// Made once from the field map, the query's columns and the service's data columns; everything
// that can be wrong with the map itself is found then.
#pragma once

#include <map>
#include <string>
#include <variant>
#include <vector>

#include "config/problem.hpp"
#include "config/settings.hpp"
#include "mapping/record.hpp"

namespace surveybridge::mapping {

// A row's key in the ledger and its cells, in the order of the query's columns.
struct Row {
  std::string key;
  std::vector<Value> cells;
};

// A data column as the service lists it (2.3).
struct DataColumn {
  std::int64_t id = 0;
  std::string name;
  std::string display_name;
  bool required = false;
  bool archived = false;
};

struct Unmappable {
  std::string reason;  // names field, rule; never holds a person's value
};

using Mapped = std::variant<Record, Unmappable>;  // Record of import_customer()

class Mapper {
 public:
  // `columns` are the query's column names; `data_columns` empty means: not known (offline), then
  // Data names are not resolved. Zones are IANA names: where local times of the CRM live.
  // On problems nothing is made; each names its line in the configuration.
  static std::variant<Mapper, std::vector<config::Problem>> make(
      const config::Push& push, const std::vector<std::string>& columns,
      const std::vector<DataColumn>& data_columns, const std::string& crm_zone);

  // One row. Never throws for what is in the row.
  Mapped map(const Row& row) const;

  struct Rule;  // how one field gets its value
 private:
  std::vector<Rule> rules_;
  std::string zone_;
  std::map<std::string, std::int64_t> data_ids_;
};

// The batch around customers (2.1): settings of [push.NAME.batch]; "{date}" in BatchName becomes
// the local date of `now` in `zone`.
Record batch_of(const config::Batch& settings, std::vector<Record> customers, Instant now,
                const std::string& zone);

// How many of `customers`, from the first, fit one batch of at most `size` customers and `bytes`
// bytes of JSON. At least 1.
std::size_t fit(const std::vector<Record>& customers, std::size_t size, std::size_t bytes);

}  // namespace surveybridge::mapping
