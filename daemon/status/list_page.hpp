// The pages behind the status page: rows of the ledger by their state, each with its key and its
// reason. Pure. They contain no address, and nothing that the service said about a row, because
// that may quote it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "daemon/status/ledger_list.hpp"
#include "daemon/status/page.hpp"

namespace surveybridge::daemon {

// The page that "…&page=2" asks for; 1 without it. Empty: no number from 1 to kListPages.
std::optional<int> page_in(std::string_view query);

// `listed` null: `database` says why.
std::string list_page_of(const ListKind& kind, const ListedRows* listed, int page,
                         const DaemonState& daemon, DatabaseState database = DatabaseState::away);

}  // namespace surveybridge::daemon
