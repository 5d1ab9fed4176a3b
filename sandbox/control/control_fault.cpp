#include "sandbox/control/control.hpp"

namespace sandbox {
namespace {

std::optional<Fault::Kind> kind_named(const std::string& name) {
  if (name == "status") return Fault::Kind::status;
  if (name == "reset") return Fault::Kind::reset;
  if (name == "cut") return Fault::Kind::cut;
  if (name == "hang") return Fault::Kind::hang;
  if (name == "body") return Fault::Kind::body;
  return std::nullopt;
}

void read_kind(Fields& in, Fault& fault) {
  const auto kind = kind_named(in.text("kind").value_or("status"));
  if (!kind) return in.refuse("kind", "must be status, reset, cut, hang or body");
  fault.kind = *kind;
}

void read_moment(Fields& in, Fault& fault) {
  const std::string moment = in.text("moment").value_or("before");
  if (moment != "before" && moment != "after") in.refuse("moment", "must be before or after");
  fault.moment = moment == "after" ? Fault::Moment::after : Fault::Moment::before;
}

std::int64_t read_number(Fields& in, const char* name, std::int64_t otherwise, std::int64_t least,
                         std::int64_t most) {
  const std::int64_t number = in.integer(name).value_or(otherwise);
  if (number >= least && number <= most) return number;
  in.refuse(name, "must be from " + std::to_string(least) + " to " + std::to_string(most));
  return otherwise;
}

// The body, or the body repeated until it has this number of bytes.
std::string read_content(Fields& in) {
  constexpr std::int64_t kMost = 256 << 20;
  std::string body = in.text("body").value_or("");
  const auto size = static_cast<std::size_t>(read_number(in, "fill", 0, 0, kMost));
  if (size == 0) return body;
  const std::string piece = body.empty() ? " " : body;
  body.reserve(size + piece.size());
  while (body.size() < size)
    body += piece;
  body.resize(size);
  return body;
}

}  // namespace

Fault read_fault_members(Fields& in) {
  Fault fault;
  if (const Text line = in.text("fault")) {
    if (const auto read = read_fault(*line)) return *read;
    in.refuse("fault", "must be MOMENT:KIND[:PATH[:TIMES]]");
    return fault;
  }
  fault.path = in.text("path").value_or("");
  fault.method = in.text("method").value_or("");
  read_moment(in, fault);
  read_kind(in, fault);
  fault.status = static_cast<int>(read_number(in, "status", fault.status, 200, 599));
  fault.times = static_cast<int>(read_number(in, "times", 1, 1, 1000000));
  fault.retry_after = in.text("retry_after").value_or("");
  fault.body = read_content(in);
  fault.content_type = in.text("content_type").value_or(fault.content_type);
  return fault;
}

}  // namespace sandbox
