// A list of the operator's of addresses that must not be mailed: a query of the CRM. It is read as
// a whole and compared here, so that no collation of a column decides who is on it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "config/settings.hpp"
#include "connectors/crm/driver/database.hpp"

namespace surveybridge::crm {

class Blocklist {
 public:
  // At most so many addresses: 8 bytes of memory each.
  static constexpr std::size_t kMost = 20'000'000;

  Blocklist() = default;
  // Reads the addresses in the list's `column` of its query; without a name those in every column.
  // A value may be a list, or have names around its addresses (mapping::addresses_in). Throws
  // DatabaseError when the query fails, has no such column, lists more than kMost addresses, has
  // values of which none names an address, or a column most of whose values with an @ cannot be
  // read: that cannot be the list that is meant.
  Blocklist(Database& database, const config::Suppress::List& list);

  // Is this address on it, or one of those that it names? The case of letters and blanks around
  // make no difference; letters with and without an accent are two.
  bool has(std::string_view address) const;

  const std::vector<std::string>& columns() const { return columns_; }  // those that were taken
  // Of them, without nulls; of a text that mentions some addresses, such as a note, those that do.
  std::int64_t values() const { return values_; }
  std::size_t addresses() const { return hashes_.size(); }  // different ones
  // Values of which at least a part is no address.
  std::int64_t unread() const { return unread_; }

 private:
  struct OfColumn;

  std::vector<std::string> columns_;
  std::int64_t values_ = 0, unread_ = 0;
  std::vector<std::uint64_t> hashes_;  // of addresses, ascending
};

}  // namespace surveybridge::crm
