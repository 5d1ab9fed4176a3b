// Which tables probably have transactions, and which columns of a query probably are the key, the
// date, the address and the service's data columns. Pure. An empty text: no column has a fitting
// name.
#pragma once

#include <string>
#include <vector>

#include "connectors/crm/driver/database.hpp"
#include "daemon/init/new_configuration.hpp"
#include "mapping/interface/data_column.hpp"

namespace surveybridge::daemon {

using Columns = std::vector<crm::Column>;
using DataColumns = std::vector<mapping::DataColumn>;

std::string proposed_key(const Columns& columns, const DataColumns& known);
// `moving`: dates that each change of a row sets anew, which are no `when`.
std::string proposed_when(crm::Dialect dialect, const Columns& columns,
                          const std::vector<std::string>& moving);
std::string proposed_email(const Columns& columns);
// `chosen`: what a person has written, also for data columns that the service does not list; one
// with an empty column is left out.
std::vector<MapLine> proposed_data(const Columns& columns, const DataColumns& known,
                                   const std::string& key, const std::string& email,
                                   const std::vector<MapLine>& chosen);

// How much a table looks like one of transactions, from 0 to 5: by a word of its name, a date, and
// addresses, which a column's name tells or one of the cells has.
int likelihood(crm::Dialect dialect, const std::string& table, const crm::Result& first_rows);

// The name by which the configuration finds this data column: its number where another one has the
// same name.
std::string configured_name(const mapping::DataColumn& column, const DataColumns& known);

// Does a line fill this data column?
bool is_filled(const mapping::DataColumn& column, const std::vector<MapLine>& lines);

}  // namespace surveybridge::daemon
