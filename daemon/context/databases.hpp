// The databases of a command: the store, which is connected at once, and the CRM's, which is
// connected when it is first used where it is another one.
#pragma once

#include <memory>

#include "daemon/context/job_context.hpp"

namespace surveybridge::daemon {

class Databases {
 public:
  // Throws DatabaseError, as crm() does.
  explicit Databases(const Environment& environment, CrmUse use = CrmUse::read)
      : open_crm_(environment.open_crm), use_(use), store_(environment.open_database()) {}

  bool is_apart() const { return static_cast<bool>(open_crm_); }
  crm::Database& store() { return *store_; }
  crm::Database& crm() {
    if (!open_crm_) return *store_;
    if (!crm_) crm_ = open_crm_(use_);
    return *crm_;
  }

 private:
  std::function<std::unique_ptr<crm::Database>(CrmUse)> open_crm_;
  CrmUse use_;
  std::unique_ptr<crm::Database> store_, crm_;
};

}  // namespace surveybridge::daemon
