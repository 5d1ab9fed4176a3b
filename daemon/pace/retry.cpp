#include "daemon/pace/retry.hpp"

#include <algorithm>
#include <array>

#include "daemon/job/fault.hpp"

namespace surveybridge::daemon {

namespace {

using Kind = service::Trouble::Kind;
using Then = Retry::Then;

// docs/SERVICE.md 3 does not say where statuses are. A service without them, or without permission
// for them, is used all the same: names are optional.
bool has_none(Operation operation, Kind kind) {
  return operation == Operation::names && (kind == Kind::misplaced || kind == Kind::forbidden ||
                                           kind == Kind::rejected || kind == Kind::malformed);
}

// With a cursor these answers mean that the service no longer knows it, or that it is too long to
// be sent: either way the walk has to do without it.
bool cursor_expired(int status) {
  static constexpr std::array kOfCursor{400, 404, 410, 413, 414, 431};
  return std::ranges::find(kOfCursor, status) != kOfCursor.end();
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
  // Whatever it is, it may pass: a permission is given later, a firewall forgets its block.
  return {Then::wait, fault_of(trouble.kind)};
}

bool is_unreachable(const service::Trouble& trouble) {
  if (trouble.kind != Kind::unavailable || trouble.wait) return false;
  static constexpr std::array kNoAnswer{0, 408, 502, 503, 504};
  return std::ranges::find(kNoAnswer, trouble.status) != kNoAnswer.end();
}

}  // namespace surveybridge::daemon
