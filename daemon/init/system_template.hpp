// Systems that `init` knows: what each answers to its questions. Each is described by a file of
// config/examples/templates, which is compiled in.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace surveybridge::daemon {

// In its texts "{prefix}" stands for what its tables' names begin with, "{column}" for the data
// column that carries the key.
struct SystemTemplate {
  std::string name;                 // "woocommerce"
  std::string title;                // "WooCommerce"
  std::vector<std::string> tables;  // without the prefix; all of them are there
  std::string time_zone;            // of its dates; empty: its server's
  std::string push, query, key, when, email;
  std::string suppress;   // a query for addresses that opted out
  std::string write;      // [[pull.customers.write]], as TOML
  std::string needs;      // a query that finds a row where `query` can; empty: it always can
  std::string else_says;  // where it finds none: why no transaction is found
  std::string notes;      // what to know of its data
};

// In the order of their names.
const std::vector<SystemTemplate>& system_templates();
std::vector<std::string> template_names();

// With which prefixes its tables are all among `tables`: "wp_", "crm.ps_" or an empty one. One that
// has other characters than letters, digits, "_" and "." is left out.
std::vector<std::string> prefixes_of(const SystemTemplate& system,
                                     const std::vector<std::string>& tables);

SystemTemplate with_prefix(SystemTemplate system, const std::string& prefix);

}  // namespace surveybridge::daemon
