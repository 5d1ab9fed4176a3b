// Checks that a page is stored only with the lease of its walk: reads the lease's row directly
// before the transaction that moves the cursor is committed.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "connectors/crm/driver/database.hpp"

namespace simulation {

// `complain` is called with what is wrong.
std::unique_ptr<surveybridge::crm::Database> fence_watch(
    std::unique_ptr<surveybridge::crm::Database> database,
    std::function<void(const std::string&)> complain);

}  // namespace simulation
