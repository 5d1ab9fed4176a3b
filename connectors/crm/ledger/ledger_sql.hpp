// The statements of the ledger, as text for a dialect. Pure. Where a statement takes arrays
// (PostgreSQL), one statement moves a whole batch and returns the keys that moved; elsewhere one
// statement moves one row and the count says whether it did.
#pragma once

#include <string>
#include <string_view>

#include "connectors/crm/driver/database.hpp"

namespace surveybridge::crm {

// The states from which a row may move, as the text of an SQL list.
enum class From {
  claimed_or_doubt,
  doubt,
  claimed,
  quarantine,
  suppression,
  held,
  held_or_doubt,
  unsent,
  sent,
  marked_sent,  // sent, since a person said so, and the service has not shown its customer
};

// Is a row in one of these states? `table`: "t." where the statement names the row so.
std::string is_from(From from, std::string_view table = "");

// With arrays. Parameters: push, state, batch, attempts to add, owner, test, seen, changed; then
// the arrays key, reason, e-mail, transaction date, person, not before. New keys enter, pending
// ones move.
std::string enter_many(Dialect dialect);
// Elsewhere, one row. Parameters: push, key, state, reason, batch, attempts, owner, e-mail,
// transaction date, person, not before, test, seen, changed; then push and key again if `enter_one`
// needs them twice.
std::string enter_one(Dialect dialect);
bool enter_asks_twice(Dialect dialect);
// A pending row. Parameters: state, reason, batch, attempts to add, owner, e-mail, transaction
// date, person, not before, test, changed; push, key.
std::string move_pending(Dialect dialect);

// With arrays: pending rows that wait for the same reason wait until another time. Parameters: the
// arrays key, reason, not before; push. Returns their keys.
std::string postpone_many(Dialect dialect);

// With arrays. Parameters: doubt since, changed; the arrays key, batch, state, reason, customer id;
// push. A null batch means any.
std::string move_many(Dialect dialect, From from);
// Elsewhere, one row. Parameters: state, reason, customer id; doubt since (only if it becomes in
// doubt); changed, push, key; batch (only if one is named).
std::string move_one(Dialect dialect, From from, bool stays_in_doubt, bool names_batch);

// Copies rows as they now are into survey_push_event. Parameters: push, key; with arrays the array
// of keys.
std::string remember(Dialect dialect);

// Of a row that a person marked sent, before it is in doubt again: since when it was. Parameters:
// push, key.
std::string restore_doubt_since(Dialect dialect);

std::string insert_batch(Dialect dialect);
// Parameters: outcome, status, detail, settled; id.
std::string answer_batch(Dialect dialect);

}  // namespace surveybridge::crm
