// The lists of the status page: which rows of the ledger each shows, what they mean and what a
// person can type; and the rows themselves.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "connectors/crm/ledger/ledger.hpp"

namespace surveybridge::daemon {

struct ListKind {
  std::string_view path;  // "/quarantine"
  std::string_view name;  // "Quarantine"
  std::vector<crm::State> states;
  std::string_view meaning;  // sentences
  struct Command {
    std::string_view text, does;
  };
  std::vector<Command> commands;
};

const std::vector<ListKind>& list_kinds();
// Null: there is none.
const ListKind* list_at(std::string_view path);
// The path of the list that shows this state; empty: none.
std::string list_of(crm::State state);

inline constexpr int kListRows = 200;  // of a page
inline constexpr int kListPages = 25;

struct ListedRows {
  std::vector<crm::Entry> rows;  // the oldest change first
  bool more = false;             // behind them
};
// `page`: 1 to kListPages. Uses the index by push, state and change, so it costs as much as the
// pages up to this one, however large the ledger is.
ListedRows listed_rows(crm::Database& database, const std::vector<std::string>& pushes,
                       const ListKind& kind, int page);

}  // namespace surveybridge::daemon
