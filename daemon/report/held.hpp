// What the brake holds: rows of the CRM that wait for a person, and that no figure counts.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "config/settings.hpp"
#include "connectors/crm/driver/database.hpp"
#include "daemon/context/job_context.hpp"
#include "daemon/report/report.hpp"

namespace surveybridge::daemon {

// Opens the CRM's database, where it is another one than the store. Empty: it is the store.
using OpenCrm = std::function<std::unique_ptr<crm::Database>()>;
// It owns what it uses.
OpenCrm open_crm_to_look(const Environment& environment);

// Of one push, or of all where it is empty. A query that fails or waits for a lock leaves a number
// unknown. Only rows of a push that is held are counted.
std::vector<HeldPush> held_pushes(const config::Settings& settings, crm::Database& store,
                                  const OpenCrm& open_crm, const std::string& push);

}  // namespace surveybridge::daemon
