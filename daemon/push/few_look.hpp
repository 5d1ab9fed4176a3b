// Where to look when too few rows of a push come: what its conditions leave out, which columns are
// empty or changed, and its latest row: a sentence without a value of any row.
#pragma once

#include <string>

#include "connectors/crm/daemon_state/few_store.hpp"
#include "connectors/crm/source/narrowing.hpp"
#include "daemon/context/job_context.hpp"
#include "daemon/push/too_few.hpp"

namespace surveybridge::daemon {

// Looks into the CRM now. `seen`: what is known of its query's columns. Throws DatabaseError.
std::string where_to_look(const config::Push& push, const TooFew& found, crm::Database& crm,
                          const std::string& zone, const crm::FewRows& seen);
// The same of what was counted. Pure.
std::string look_text(const crm::Narrowing& counted, const std::string& when, int days,
                      TimePoint now, const crm::FewRows& seen);

// Stores the columns of the push's query, and where to look while too few of its rows come: again
// after an hour. Throws DatabaseError.
void keep_look(JobContext& context, const config::Push& push);

}  // namespace surveybridge::daemon
