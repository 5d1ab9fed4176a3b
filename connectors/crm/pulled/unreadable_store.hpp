// survey_unreadable: records of the service that could not be read, each with the reason and its
// text, so that one of them does not stop its list. A record leaves the table when it was read.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "connectors/crm/driver/database.hpp"
#include "mapping/codec/codec.hpp"

namespace surveybridge::crm {

// Which records of a list are in the table, as text; they are read when first needed, and anew
// after reset().
class KeptNames {
 public:
  const std::set<std::string>& of(Database& database, const std::string& list);
  void reset() { names_.reset(); }

 private:
  std::optional<std::set<std::string>> names_;
};

// Within the caller's transaction: keeps these; of a record that is there already, what it says
// now. `kept` is reset where that changes it.
void keep_unreadable(Database& database, const std::string& list,
                     const std::vector<mapping::Unreadable>& records, Instant now, KeptNames& kept);

// Within the caller's transaction: these records of the list have been read. `kept` is reset where
// that changes it.
void drop_unreadable(Database& database, const std::string& list,
                     std::span<const mapping::Record> records, KeptNames& kept);

struct UnreadableCount {
  std::string list;
  std::int64_t records = 0;
  bool operator==(const UnreadableCount&) const = default;
};
// By list; lists without any are left out.
std::vector<UnreadableCount> unreadable_counts(Database& database);

}  // namespace surveybridge::crm
