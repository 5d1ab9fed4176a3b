// That pages were stored while the tables for reports could not be kept up to date: noted in
// survey_cursor, which the bridge always writes, until all records are taken in again.
#pragma once

#include "connectors/crm/driver/database.hpp"
#include "mapping/interface/resource.hpp"

namespace surveybridge::crm {

// Within the transaction that stores the page.
void note_gap(Database& database, const mapping::Resource& root);
bool has_gap(Database& database, const mapping::Resource& root);
void close_gap(Database& database, const mapping::Resource& root);

}  // namespace surveybridge::crm
