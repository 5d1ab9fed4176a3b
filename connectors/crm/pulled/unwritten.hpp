// What was to be written into a table of the CRM and is not there afterwards (table
// survey_unwritten): each cell of a record with its reason, until the record is written whole.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "connectors/crm/driver/database.hpp"

namespace surveybridge::crm {

struct Unwritten {
  std::string record;  // its key
  std::string column;  // of the CRM's table
  std::string reason;
  bool operator==(const Unwritten&) const = default;
};

// Reasons that are no error of the database.
inline constexpr std::string_view kNoSuchValue = "the value is none of the column's type";
inline constexpr std::string_view kTakesNoNull = "the column takes no NULL";
inline constexpr std::string_view kNeeded =
    "a new row needs a value in this column, and the write gives none";
inline constexpr std::string_view kLeftAlone =
    "the database has left the column as it was: a trigger, a rule or a policy of its own";
inline constexpr std::string_view kStoredOtherwise =
    "the database has stored another value: a trigger or a setting of its own";
inline constexpr std::string_view kNoObject =
    "the column has no JSON object to put it into, and is left as it is";
inline constexpr std::string_view kNotRemoved =
    "the database has kept a row that was to be removed: a trigger, a rule or a policy of its own";
inline constexpr std::string_view kTooLarge =
    "the value is larger than the database takes in one statement (max_allowed_packet)";
inline constexpr std::string_view kNoNewRow =
    "the database has made no such row: a trigger, a rule or a policy of its own";
inline constexpr std::string_view kMadeOtherwise =
    "a new row has another value here (a trigger, or a type that rounds): it would not be found"
    " again, and is not made";
// The SQLSTATE of the error that is raised then.
inline constexpr std::string_view kNoData = "02000";

// The reason for which the database refused a value: by its code, never by its words.
std::string reason_of(const ErrorCode& code);
// Has another row a value that must be unique?
bool is_of_unique_key(const ErrorCode& code);
// Does it refuse NULL?
bool refuses_null(const ErrorCode& code);
// Did a trigger of the table refuse the row, whichever column it looked at?
bool is_of_trigger(const ErrorCode& code);

// Is what the database stores the value that was to be written, as well as the column can hold it?
// A fraction of a second, of a number's last digit and blanks at the end may be missing.
bool is_as_wished(const Value& wished, const Value& stored);

// What is the same for many records.
struct UnwrittenSort {
  std::string table, column, reason;
  bool operator==(const UnwrittenSort&) const = default;
};

// Notes what is missing of these records of one write, and removes what was noted of them before
// and is there now. Within a transaction. Returns what is missing for the first time.
struct UnwrittenOf {
  const std::string& list;
  const std::string& mark;   // of the write (write_mark.hpp)
  const std::string& table;  // the CRM's
};
std::vector<UnwrittenSort> note_unwritten(Database& store, const UnwrittenOf& of,
                                          const std::vector<std::string>& records,
                                          const std::vector<Unwritten>& missing, Instant now);

struct UnwrittenCount {
  std::string list;
  UnwrittenSort sort;
  std::int64_t records = 0;
  Instant since;  // the first of them
};
// By list, table, column and reason.
std::vector<UnwrittenCount> unwritten_counts(Database& store);

}  // namespace surveybridge::crm
