// The steps of a transaction, as `explain` shows them: those of survey_push_event, and those that
// its batches tell (ledger_moves.cpp).
#include <algorithm>
#include <iterator>
#include <set>

#include "connectors/crm/ledger/ledger.hpp"
#include "connectors/crm/rows/row_struct.hpp"
#include "connectors/crm/schema/erased_keys.hpp"

namespace surveybridge::crm {
namespace {

using Event = Ledger::Event;

std::vector<Event> stored_events(Database& database, const std::string& push,
                                 const std::string& key) {
  return query_structs<Event>(database,
                              R"(SELECT "at", "state", "batch", "detail" FROM "survey_push_event")"
                              R"( WHERE "push" = {key} AND "key" = {key} ORDER BY "id")",
                              {push, stored_key(database, key)});
}

// The row is `sent`, and its last batch was accepted. The answer made it so, unless the row had
// left the states from which an answer moves it: then a read-back or a person was quicker.
void add_acceptance(std::vector<Event>& steps, const Ledger::Batch& batch) {
  const auto is_claim = [&](const Event& step) {
    return step.batch == batch.id && step.state == State::claimed;
  };
  auto at = std::ranges::find_if(steps, is_claim);
  if (at == steps.end()) return;
  for (++at; at != steps.end() && at->at <= *batch.settled_at;)
    ++at;
  const State before = std::prev(at)->state;
  if (before == State::claimed || before == State::in_doubt)
    steps.insert(at, {*batch.settled_at, State::sent, batch.id, ""});
}

}  // namespace

std::vector<Ledger::Event> Ledger::history(const std::string& push, const std::string& key) {
  std::vector<Event> steps;
  std::set<std::string> claims;  // batches whose claim is among the steps
  const auto add_claim = [&](const std::string& id) {
    if (id.empty() || !claims.insert(id).second) return;
    if (const auto told = batch(id)) steps.push_back({told->sent_at, State::claimed, id, ""});
  };
  for (auto& event : stored_events(database_, push, key)) {
    // An earlier version stored each claim. One with words is a note: the person is forgotten, say.
    if (event.state == State::claimed && event.detail.empty()) claims.insert(event.batch);
    add_claim(event.batch);
    steps.push_back(std::move(event));
  }
  const auto entry = find(push, key);
  if (!entry) return steps;
  add_claim(entry->batch);
  if (entry->state != State::sent || entry->batch.empty()) return steps;
  const auto last = batch(entry->batch);
  if (last && last->settled_at && last->answer.outcome == Outcome::accepted)
    add_acceptance(steps, *last);
  return steps;
}

}  // namespace surveybridge::crm
