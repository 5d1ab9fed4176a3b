#include "daemon/init/proposal.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <sstream>

#include "config/text.hpp"
#include "connectors/crm/source/source_sql.hpp"
#include "mapping/values/address.hpp"

namespace surveybridge::daemon {

namespace {

// Letters and digits in small letters: "Order_No." is "orderno".
std::string plain_name(std::string_view name) {
  std::string plain;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || byte >= 0x80) plain += static_cast<char>(std::tolower(byte));
  }
  return plain;
}

// Names of one thing as plain_name() writes them, the most exact first.
constexpr const char* kTransaction =
    "ordernumber orderno ordernr orderid transactionnumber transactionid invoicenumber "
    "ticketnumber "
    "ticketid caseid conversationid number reference uuid id";
constexpr const char* kEmail = "email emailaddress mail mailaddress customeremail";
constexpr const char* kWhen =
    "deliveredat deliverydate delivered shippedat completedat closedat orderedat orderdate when at "
    "date transactiondate createdat created";
constexpr const char* kOtherThings[] = {
    "firstname givenname forename",      "lastname surname familyname",
    "fullname name customername",        "phonenumber phone telephone mobile",
    "language lang locale languagecode", "country countrycode",
    "amount total totalamount price",    "product productname article item",
    "postcode postalcode zip zipcode",   "customernumber customerid customerno",
};

// In the names of tables.
constexpr const char* kTransactions =
    "order sale delivery deliveries shipment invoice ticket case visit booking appointment repair";

bool has_address(const crm::Result& result) {
  constexpr std::size_t kLongestCell = 1000;  // of a cell that names a person
  for (const auto& row : result.rows)
    for (const mapping::Value& cell : row)
      if (const auto* text = std::get_if<std::string>(&cell); text != nullptr)
        if (text->size() <= kLongestCell && !mapping::addresses_in(*text).addresses.empty())
          return true;
  return false;
}

std::vector<std::string> words_of(const std::string& text) {
  using Words = std::istream_iterator<std::string>;
  std::istringstream in(text);
  return std::vector<std::string>(Words(in), Words());
}

// Is this a word for the data column?
bool names(const std::string& words, const mapping::DataColumn& data) {
  return std::ranges::any_of(words_of(words), [&](const std::string& word) {
    return word == plain_name(data.name) || word == plain_name(data.display_name);
  });
}

// The column whose name stands first among the words.
std::string first_of(const std::string& words, const Columns& columns) {
  for (const std::string& word : words_of(words)) {
    const auto found = std::ranges::find(
        columns, word, [](const crm::Column& column) { return plain_name(column.name); });
    if (found != columns.end()) return found->name;
  }
  return "";
}

std::string by_own_name(const mapping::DataColumn& data, const Columns& columns) {
  for (const crm::Column& column : columns) {
    const std::string name = plain_name(column.name);
    if (!name.empty() && names(name, data)) return column.name;
  }
  return "";
}

std::string by_name(const mapping::DataColumn& data, const Columns& columns,
                    const std::string& email) {
  if (auto name = by_own_name(data, columns); !name.empty()) return name;
  if (names(kEmail, data)) return email;
  for (const char* words : kOtherThings)
    if (names(words, data)) return first_of(words, columns);
  return "";
}

auto line_for(const mapping::DataColumn& data, const std::vector<MapLine>& lines) {
  return std::ranges::find_if(
      lines, [&](const MapLine& line) { return mapping::is_called(data, line.data_column); });
}

}  // namespace

std::string configured_name(const mapping::DataColumn& column, const DataColumns& known) {
  const auto found = mapping::find_column(column.name, known);
  const auto* same = std::get_if<mapping::DataColumn>(&found);
  const bool unique = same != nullptr && same->id == column.id && config::is_name(column.name);
  return unique ? column.name : std::to_string(column.id);
}

bool is_filled(const mapping::DataColumn& column, const std::vector<MapLine>& lines) {
  return line_for(column, lines) != lines.end();
}

// A data column that the service has for the transaction makes its column the key: then the bridge
// recognises its own customers at the service.
std::string proposed_key(const Columns& columns, const DataColumns& known) {
  for (const mapping::DataColumn& data : known) {
    if (data.archived || !names(kTransaction, data)) continue;
    if (auto name = by_own_name(data, columns); !name.empty()) return name;
  }
  return first_of(kTransaction, columns);
}

// A column whose type is a date is better than a text that may hold one. None where no name fits:
// the first date of a table often is one that each update moves, and rows would be sent by it.
std::string proposed_when(crm::Dialect dialect, const Columns& columns,
                          const std::vector<std::string>& moving) {
  Columns dated = columns;
  std::erase_if(dated, [&](const crm::Column& column) {
    return crm::unusable_when(dialect, column) ||
           std::ranges::find(moving, column.name) != moving.end();
  });
  Columns typed = dated;
  std::erase_if(typed,
                [](const crm::Column& column) { return column.kind == crm::ColumnKind::text; });
  const std::string name = first_of(kWhen, typed);
  return name.empty() ? first_of(kWhen, dated) : name;
}

std::string proposed_email(const Columns& columns) {
  return first_of(kEmail, columns);
}

int likelihood(crm::Dialect dialect, const std::string& table, const crm::Result& first_rows) {
  const std::string name = plain_name(table);
  const bool worded = std::ranges::any_of(
      words_of(kTransactions), [&](const auto& word) { return name.find(word) != name.npos; });
  const bool dated = !proposed_when(dialect, first_rows.columns, {}).empty();
  const bool addressed = !proposed_email(first_rows.columns).empty() || has_address(first_rows);
  return (worded ? 1 : 0) + (dated ? 2 : 0) + (addressed ? 2 : 0);
}

std::vector<MapLine> proposed_data(const Columns& columns, const DataColumns& known,
                                   const std::string& key, const std::string& email,
                                   const std::vector<MapLine>& chosen) {
  std::vector<MapLine> lines;
  bool carried = key.empty();  // the key goes into one data column
  for (const mapping::DataColumn& data : known) {
    if (data.archived) continue;
    const auto line = line_for(data, chosen);
    const bool takes_key = !carried && names(kTransaction, data);
    const std::string column = line != chosen.end() ? line->column
                               : takes_key          ? key
                                                    : by_name(data, columns, email);
    carried = carried || column == key;
    if (!column.empty()) lines.push_back({configured_name(data, known), column});
  }
  for (const MapLine& line : chosen) {
    const bool is_known = std::ranges::any_of(
        known, [&](const auto& data) { return mapping::is_called(data, line.data_column); });
    if (!is_known && !line.column.empty()) lines.push_back(line);
  }
  return lines;
}

}  // namespace surveybridge::daemon
