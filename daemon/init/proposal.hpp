// Which columns of a query probably are the key, the date, the address and the service's data
// columns, by their names. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/crm/driver/database.hpp"
#include "daemon/init/new_settings.hpp"
#include "mapping/interface/data_column.hpp"

namespace surveybridge::daemon {

// What a person has decided already; empty: nothing yet.
struct Chosen {
  std::optional<std::string> key, when, email;
  std::vector<MapLine> data;  // a line with an empty column leaves the data column out
};

// Empty texts: no column has a fitting name. `moving_columns`: dates that each change of a row sets
// anew, which are no `when`.
struct Proposal {
  std::string key, when, email, correlate;
  std::vector<MapLine> data;
};

Proposal propose(crm::Dialect dialect, const std::vector<crm::Column>& columns,
                 const std::vector<mapping::DataColumn>& data_columns, const Chosen& chosen,
                 const std::vector<std::string>& moving_columns = {});

// The name by which the configuration finds this data column: its number where another one has the
// same name.
std::string configured_name(const mapping::DataColumn& column,
                            const std::vector<mapping::DataColumn>& known);

// Letters and digits in small letters: "Order_No." is "orderno".
std::string plain_name(std::string_view name);

}  // namespace surveybridge::daemon
