#include "daemon/runtime/pooled_environment.hpp"

#include <utility>

#include "daemon/runtime/session_pool.hpp"

namespace surveybridge::daemon {

// A pool for each: a job that has a transaction in the CRM's database asks the store meanwhile, and
// must not wait for others that do the same.
Environment pooled(Environment environment, int connections, Log& log) {
  const auto pool = [&](const char* what, SessionPool::Open open) {
    return std::make_shared<SessionPool>(what, PoolLimits{.most = connections}, std::move(open),
                                         log, *environment.recorder);
  };
  const bool apart = static_cast<bool>(environment.open_crm);
  environment.open_database =
      [store = pool(apart ? "store" : "database", [open = environment.open_database](SessionKind) {
         return open();
       })] { return store->database(SessionKind::write); };
  if (!apart) return environment;
  environment.open_crm =
      [crm = pool("CRM's database", [open = environment.open_crm](SessionKind kind) {
         return open(kind == SessionKind::read ? CrmUse::read : CrmUse::write);
       })](CrmUse use) {
        return crm->database(use == CrmUse::read ? SessionKind::read : SessionKind::write);
      };
  return environment;
}

}  // namespace surveybridge::daemon
