#include "daemon/init/proposal.hpp"

#include <algorithm>
#include <cctype>

#include "config/wording.hpp"
#include "connectors/crm/source/source_sql.hpp"

namespace surveybridge::daemon {

namespace {

using Words = std::vector<std::string_view>;
using Columns = std::vector<crm::Column>;

// Names of one thing as plain_name() writes them, the most exact first.
const Words kTransaction = {"ordernumber",
                            "orderno",
                            "ordernr",
                            "orderid",
                            "transactionnumber",
                            "transactionid",
                            "invoicenumber",
                            "number",
                            "reference",
                            "uuid",
                            "id"};
const Words kEmail = {"email", "emailaddress", "mail", "mailaddress", "customeremail"};
const Words kWhen = {"deliveredat", "deliverydate",    "delivered", "shippedat", "completedat",
                     "closedat",    "orderedat",       "orderdate", "when",      "at",
                     "date",        "transactiondate", "createdat", "created"};
const std::vector<Words>& other_things() {
  static const std::vector<Words> all = {
      {"firstname", "givenname", "forename"},
      {"lastname", "surname", "familyname"},
      {"fullname", "name", "customername"},
      {"phonenumber", "phone", "telephone", "mobile"},
      {"language", "lang", "locale", "languagecode"},
      {"country", "countrycode"},
      {"amount", "total", "totalamount", "price"},
      {"product", "productname", "article", "item"},
      {"postcode", "postalcode", "zip", "zipcode"},
      {"customernumber", "customerid", "customerno"},
  };
  return all;
}

bool holds(const Words& words, const std::string& name) {
  return std::find(words.begin(), words.end(), name) != words.end();
}

// The column whose name stands first among the words; empty: none.
std::string first_of(const Words& words, const Columns& columns) {
  for (const std::string_view word : words) {
    const auto found = std::ranges::find_if(
        columns, [&](const crm::Column& column) { return plain_name(column.name) == word; });
    if (found != columns.end()) return found->name;
  }
  return "";
}

bool is_transaction(const mapping::DataColumn& column) {
  return holds(kTransaction, plain_name(column.name)) ||
         holds(kTransaction, plain_name(column.display_name));
}

std::string by_own_name(const mapping::DataColumn& data, const Columns& columns) {
  for (const crm::Column& column : columns) {
    const std::string name = plain_name(column.name);
    if (name.empty()) continue;
    if (name == plain_name(data.name) || name == plain_name(data.display_name)) return column.name;
  }
  return "";
}

std::string by_other_name(const mapping::DataColumn& data, const Columns& columns) {
  for (const Words& words : other_things()) {
    if (holds(words, plain_name(data.name)) || holds(words, plain_name(data.display_name)))
      return first_of(words, columns);
  }
  return "";
}

bool is_dated(crm::Dialect dialect, const crm::Column& column) {
  return !crm::unusable_when(dialect, column);
}

Columns without(Columns columns, const std::vector<std::string>& names) {
  std::erase_if(columns, [&](const crm::Column& column) {
    return std::ranges::find(names, column.name) != names.end();
  });
  return columns;
}

// A column whose type is a date is better than a text that may hold one. None where no name fits:
// the first date of a table often is one that each update moves, and rows would be sent by it.
std::string proposed_when(crm::Dialect dialect, const Columns& columns) {
  Columns dated, typed;
  for (const crm::Column& column : columns) {
    if (!is_dated(dialect, column)) continue;
    dated.push_back(column);
    if (column.kind != crm::ColumnKind::text) typed.push_back(column);
  }
  for (const Columns& each : {typed, dated})
    if (auto name = first_of(kWhen, each); !name.empty()) return name;
  return "";
}

// A data column that the service has for the transaction makes its column the key: then the bridge
// recognises its own customers at the service.
std::string proposed_key(const Columns& columns, const std::vector<mapping::DataColumn>& known) {
  for (const mapping::DataColumn& data : known) {
    if (data.archived || !is_transaction(data)) continue;
    if (auto name = by_own_name(data, columns); !name.empty()) return name;
  }
  return first_of(kTransaction, columns);
}

std::string column_for(const mapping::DataColumn& data, const Columns& columns,
                       const Proposal& proposal) {
  if (is_transaction(data) && !proposal.key.empty()) return proposal.key;
  if (auto name = by_own_name(data, columns); !name.empty()) return name;
  if (holds(kEmail, plain_name(data.name))) return proposal.email;
  return by_other_name(data, columns);
}

const MapLine* decided(const Chosen& chosen, const mapping::DataColumn& data) {
  const auto found = std::ranges::find_if(
      chosen.data, [&](const MapLine& line) { return mapping::is_called(data, line.data_column); });
  return found == chosen.data.end() ? nullptr : &*found;
}

}  // namespace

std::string configured_name(const mapping::DataColumn& column,
                            const std::vector<mapping::DataColumn>& known) {
  const auto found = mapping::find_column(column.name, known);
  const auto* same = std::get_if<mapping::DataColumn>(&found);
  const bool unique = same != nullptr && same->id == column.id && config::is_name(column.name);
  return unique ? column.name : std::to_string(column.id);
}

std::string plain_name(std::string_view name) {
  std::string plain;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || byte >= 0x80) plain += static_cast<char>(std::tolower(byte));
  }
  return plain;
}

Proposal propose(crm::Dialect dialect, const Columns& columns,
                 const std::vector<mapping::DataColumn>& data_columns, const Chosen& chosen,
                 const std::vector<std::string>& moving_columns) {
  Proposal proposal;
  proposal.key = chosen.key.value_or(proposed_key(columns, data_columns));
  proposal.when = chosen.when.value_or(proposed_when(dialect, without(columns, moving_columns)));
  proposal.email = chosen.email.value_or(first_of(kEmail, columns));
  bool carried = false;  // by a data column; a second one carries what its own name says
  for (const mapping::DataColumn& data : data_columns) {
    if (data.archived) continue;
    const MapLine* line = decided(chosen, data);
    const bool second = line == nullptr && carried && is_transaction(data);
    const std::string column = line != nullptr ? line->column
                               : second        ? by_own_name(data, columns)
                                               : column_for(data, columns, proposal);
    if (column.empty()) continue;
    carried = carried || column == proposal.key;
    proposal.data.push_back({configured_name(data, data_columns), column});
    if (proposal.correlate.empty() && column == proposal.key)
      proposal.correlate = proposal.data.back().data_column;
  }
  // What the service does not list is kept: the check of the map names it.
  for (const MapLine& line : chosen.data) {
    const bool known = std::ranges::any_of(
        data_columns, [&](const auto& data) { return mapping::is_called(data, line.data_column); });
    if (!known && !line.column.empty()) proposal.data.push_back(line);
  }
  return proposal;
}

}  // namespace surveybridge::daemon
