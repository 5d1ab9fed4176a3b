// The sections of the configuration. Each is a table of its keys, in the file with its name.
#pragma once

#include "config/keys/key.hpp"

namespace surveybridge::config {

const Kind<Settings>& root_section();  // load.cpp

Kind<Service> service_section();
Kind<Auth> auth_section();
Kind<Crm> crm_section();
Kind<Store> store_section();            // crm.cpp
Kind<LedgerSettings> ledger_section();  // crm.cpp

const Kind<Push>& push_section();
Kind<Batch> batch_section();

// [push.NAME.customer]: the fields, and Data separately.
struct CustomerMap {
  FieldMap fields;
  std::vector<DataRule> data;
};
Kind<CustomerMap> customer_section();
// A column's name, or a table with more keys.
const Kind<FieldSource>& source();
Kind<std::vector<Meaning>> meanings();  // a map
// Does this table describe one value (and is not an object with fields)?
bool is_source(const Node::Table& table);

Kind<Suppress> suppress_section();
Kind<StatusPage> status_section();
Kind<Receiver> receiver_section();  // alert.cpp
// Is it a list of none, or one outside of the file that has none? One with a wrong address is not.
bool names_nobody(const Node& list, const std::vector<std::string>& addresses);  // alert.cpp
Kind<Report> report_section();

Kind<Pull> pull_section(Pull::List list);
// Why a list does not take the keys of the other kind of window (`from`, `overlap`; `look_back`).
std::string no_window_key(Pull::List list);
// `walk`: of a walk, which cannot say what is stored of each row, for the whole list's rows are
// alike.
Kind<std::vector<Filter>> filter_section(Pull::List list, bool walk = false);
Kind<std::vector<WalkSettings>> walks_section(Pull::List list);
// Clashes between the walks of a pull, and between filters and the windows of the walks.
void check_walks(const Trail& trail, const Pull& pull);
Kind<std::vector<Write>> writes_section();
// `when`: path = value, list of values, or range.
Kind<std::vector<Write::Condition>> conditions();  // write.cpp
Kind<std::vector<FollowUp>> follow_ups_section(const std::string& list);
// Two writes that set the same column of the same table: which value stays must not depend on which
// list was read last.
void check_written_columns(const Trail& trail, const Settings& settings);
// What a column of the CRM gets, as a table with more keys than a path.
Kind<Write::Cell> cell_section();

}  // namespace surveybridge::config
