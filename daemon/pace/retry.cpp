#include "daemon/pace/retry.hpp"

#include "daemon/job/fault.hpp"

namespace surveybridge::daemon {

namespace {

using Kind = service::Trouble::Kind;
using Then = Retry::Then;

// The document does not show where statuses are. A service that has them nowhere, or not for us, is
// one all the same, whatever it answers instead: names are a comfort. Asked in a format that it
// does not speak it may even break.
bool has_none(Operation operation, Kind kind) {
  if (operation == Operation::format && kind == Kind::unavailable) return true;
  const bool comfort = operation == Operation::names || operation == Operation::format;
  return comfort && (kind == Kind::misplaced || kind == Kind::forbidden || kind == Kind::rejected ||
                     kind == Kind::malformed);
}

// While a cursor is sent, these say that the service no longer knows it.
bool cursor_expired(int status) {
  return status == 400 || status == 404 || status == 410;
}

}  // namespace

Retry retry_after(Operation operation, const service::Trouble& trouble, bool has_cursor) {
  const bool walks = operation == Operation::page || operation == Operation::search;
  if (has_none(operation, trouble.kind)) {
    return {Then::go_without, JobStatus::Fault::none};
  }
  if (walks && has_cursor && cursor_expired(trouble.status)) {
    return {Then::start_again, fault_of(trouble.kind)};
  }
  // Columns are asked for anew every few minutes, so that a right that is given later is found.
  const bool for_good = trouble.kind == Kind::forbidden && operation != Operation::column;
  return {for_good ? Then::stand_still : Then::wait, fault_of(trouble.kind)};
}

}  // namespace surveybridge::daemon
