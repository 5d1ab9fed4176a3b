#include "daemon/status/ledger_list.hpp"

#include <algorithm>
#include <tuple>

#include "connectors/crm/daemon_state/overview.hpp"

namespace surveybridge::daemon {

namespace {
using crm::State;
}

const std::vector<ListKind>& list_kinds() {
  static const std::vector<ListKind> kinds = {
      {"/quarantine",
       "Quarantine",
       {State::quarantined},
       "These transactions cannot be sent. Mend the row in the CRM and let it go again, or drop "
       "it.",
       {{"surveybridge quarantine list --groups", "how many have which reason"},
        {"surveybridge quarantine retry KEY", "it goes out again, as the CRM has it now"},
        {"surveybridge quarantine drop KEY", "it is never sent"},
        {"surveybridge explain KEY", "its history"}}},
      {"/doubts",
       "Doubts",
       {State::held, State::in_doubt},
       "These transactions may have arrived at the service or not. The bridge looks up those in "
       "doubt by itself; those held wait for a person, who looks them up at the service.",
       {{"surveybridge doubt sent KEY", "it is at the service"},
        {"surveybridge doubt resend KEY", "it is not: it goes out again"},
        {"surveybridge doubt undo KEY", "takes back doubt sent: it is looked up once more"},
        {"surveybridge explain KEY", "its history"}}},
      {"/suppressed",
       "Suppressed",
       {State::suppressed},
       "These transactions are not sent, because their person must not be mailed or a person "
       "dropped them. Nothing is to be done.",
       {{"surveybridge suppressed", "the whole list"},
        {"surveybridge explain KEY", "the history of one"}}},
  };
  return kinds;
}

const ListKind* list_at(std::string_view path) {
  const auto& kinds = list_kinds();
  const auto at = std::ranges::find(kinds, path, &ListKind::path);
  return at == kinds.end() ? nullptr : &*at;
}

std::string list_of(State state) {
  for (const auto& kind : list_kinds()) {
    if (std::ranges::find(kind.states, state) != kind.states.end()) return std::string(kind.path);
  }
  return "";
}

ListedRows listed_rows(crm::Database& database, const std::vector<std::string>& pushes,
                       const ListKind& kind, int page) {
  ListedRows listed;
  // Nothing has ever been sent or set aside.
  if (crm::tables_to_read(database) == crm::Tables::none) return listed;
  crm::Ledger ledger(database);
  const int behind = page * kListRows;
  std::vector<crm::Entry> all;
  for (const auto& push : pushes) {
    for (const auto state : kind.states) {
      auto rows = ledger.list(push, state, behind + 1);
      std::ranges::move(rows, std::back_inserter(all));
    }
  }
  std::ranges::sort(
      all, {}, [](const crm::Entry& row) { return std::tie(row.changed_at, row.push, row.key); });
  const auto from = std::min(all.size(), static_cast<std::size_t>(behind - kListRows));
  const auto to = std::min(all.size(), static_cast<std::size_t>(behind));
  listed.more = all.size() > to;
  listed.rows.assign(std::make_move_iterator(all.begin() + static_cast<std::ptrdiff_t>(from)),
                     std::make_move_iterator(all.begin() + static_cast<std::ptrdiff_t>(to)));
  return listed;
}

}  // namespace surveybridge::daemon
