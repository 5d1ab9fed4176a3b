// survey_unreadable: records of the service that could not be read, each with the reason and its
// text, so that one of them does not stop its list. A record leaves the table when it was read.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "connectors/crm/driver/database.hpp"
#include "connectors/crm/people/people.hpp"
#include "mapping/codec/codec.hpp"

namespace surveybridge::crm {

// A record that could not be read, and what that means for its person.
struct UnreadRecord {
  mapping::Unreadable record;
  std::string person = {};  // keyed hash of the address (people.hpp); empty: not known whose it is
  std::optional<FactKind> hides = {};  // what a rule of [suppress] asks for; empty: nothing
};

// The record's key as text. One without a key is known by its text: kKeylessRecord and a hash.
std::string name_of(const mapping::Unreadable& unreadable);

// Which records of a list are in the table, as text; they are read when first needed, and anew
// after reset().
class KeptNames {
 public:
  const std::set<std::string>& of(Database& database, const std::string& list);
  // Has one of them no key?
  bool has_keyless(Database& database, const std::string& list);
  void reset() { names_.reset(); }

 private:
  std::optional<std::set<std::string>> names_;
};

// Within the caller's transaction: keeps these; of a record that is there already, what it says
// now. `kept` is reset where that changes it.
void keep_unreadable(Database& database, const std::string& list,
                     const std::vector<UnreadRecord>& records, Instant now, KeptNames& kept);

// Within the caller's transaction: these records of the list have been read. `kept` is reset where
// that changes it. Those of them that were in the table.
std::vector<const mapping::Record*> drop_unreadable(Database& database, const std::string& list,
                                                    std::span<const mapping::Record> records,
                                                    KeptNames& kept);
// Within the caller's transaction: records without a key no longer hide anything of this person.
void reveal_keyless(Database& database, const std::string& list, const std::string& person);

// Removes the texts of records that were last listed before then. Their rows stay, with what they
// hide.
void clear_unreadable(Database& database, const std::string& list, Instant before);

struct UnreadableCount {
  std::string list;
  std::int64_t records = 0;
  std::int64_t unmailed = 0;  // of them, whose person is not mailed until they can be read
  std::int64_t nameless = 0;  // of them, which may say whom not to mail, and do not say whose
                              // they are
  bool operator==(const UnreadableCount&) const = default;
};
// By list; lists without any are left out.
std::vector<UnreadableCount> unreadable_counts(Database& database);

}  // namespace surveybridge::crm
