// The bridge's own tables as data: ledger, batches, cursors, leases. The
// pulled tables are derived from the service's description instead (mapping/tables/tables.hpp).
// Pure.
#pragma once

#include <string>
#include <vector>

#include "connectors/crm/dialect/ddl.hpp"

namespace surveybridge::crm {

struct BridgeTable {
  Table table;
  Numbering numbering = Numbering::ours;
};

const std::vector<BridgeTable>& bridge_tables();
const std::vector<Index>& bridge_indexes();
const Table& event_table();
const Table& written_table();
const Table& unreadable_table();
const Table& write_mark_table();
const Table& unmatched_table();
const Table& unwritten_table();
const Table& listed_table();
const Table& write_queue_table();

// The bridge's own tables and the pulled ones: all that the bridge creates.
const std::vector<BridgeTable>& every_table();
// One of them; throws std::logic_error where none is called so.
const BridgeTable& table_named(const std::string& name);

}  // namespace surveybridge::crm
