// What the ledger's verbs are made of: rows that enter it and rows that change their state, within
// the caller's transaction. Each moves only what the states allow, remembers it as an event, and
// says what moved.
#pragma once

#include <string>
#include <vector>

#include "connectors/crm/ledger/ledger.hpp"
#include "connectors/crm/ledger/ledger_sql.hpp"

namespace surveybridge::crm {

Value text_or_null(const std::string& text);
// At most kReasonBytesMax bytes, cut between characters.
std::string bounded(const std::string& text);

// Rows that come into the ledger, or that it holds as pending, and what they become.
struct Entering {
  struct Row {
    std::string key;
    Value reason = mapping::Null{}, email = mapping::Null{}, transaction_date = mapping::Null{};
    Value person = mapping::Null{}, not_before = mapping::Null{};
  };
  std::string push;
  State state = State::pending;
  std::string batch = {}, owner = {};  // empty: set aside, not claimed
  bool test = false;
  Instant now{};
  std::vector<Row> rows = {};
};

// The keys that entered or moved, in the order given. The first of two rows with one key counts;
// a key too long for the ledger does not enter.
std::vector<std::string> enter(Database& database, const Entering& entering);

// How many moved. The last of two verdicts on one key counts.
std::int64_t move(Database& database, const std::string& push, From from,
                  const std::vector<Ledger::Verdict>& verdicts, Instant now);

struct Orphan {
  std::string key, batch, owner;
};
// Claimed rows whose owner holds no lease "instance:OWNER" that is valid at `now`.
std::vector<Orphan> claimed_by_the_dead(Database& database, const std::string& push, Instant now);

}  // namespace surveybridge::crm
