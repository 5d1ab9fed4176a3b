#include "connectors/crm/schema/ledger_words.hpp"

#include <algorithm>
#include <array>

#include "connectors/crm/rows/typed_cells.hpp"

namespace surveybridge::crm {

namespace {

constexpr std::array<const char*, 7> kStates = {"pending", "claimed",    "sent",       "in_doubt",
                                                "held",    "suppressed", "quarantined"};
constexpr std::array<const char*, 8> kOutcomes = {
    "", "accepted", "not sent", "too many", "too large", "refused", "refused, yet kept", "unknown"};

template <typename Word, typename Texts>
std::optional<Word> word_from(const Texts& texts, std::string_view text) {
  const auto* found = std::find(texts.begin(), texts.end(), text);
  if (found == texts.end()) return std::nullopt;
  return static_cast<Word>(found - texts.begin());
}

}  // namespace

const char* to_string(State state) {
  return kStates.at(static_cast<std::size_t>(state));
}

std::optional<State> state_from(std::string_view text) {
  return word_from<State>(kStates, text);
}

State state_in(const Value& cell) {
  const auto state = state_from(text_in(cell));
  if (!state) {
    throw DatabaseError(DatabaseError::Kind::other, "the ledger holds a state it does not know");
  }
  return *state;
}

void read_cell(const Value& cell, State& into) {
  into = state_in(cell);
}

void read_cell(const Value& cell, Outcome& into) {
  const auto outcome = outcome_from(text_in(cell));
  if (!outcome) {
    throw DatabaseError(DatabaseError::Kind::other, "the ledger holds an outcome it does not know");
  }
  into = *outcome;
}

const char* to_string(Outcome outcome) {
  return kOutcomes.at(static_cast<std::size_t>(outcome));
}

std::optional<Outcome> outcome_from(std::string_view text) {
  return word_from<Outcome>(kOutcomes, text);
}

}  // namespace surveybridge::crm
