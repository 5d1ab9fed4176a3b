// Sees to it that nobody stores a page without the lease of its walk: looks at the lease's row
// right before the transaction that moves the cursor is committed.
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
