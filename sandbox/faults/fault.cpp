#include "sandbox/faults/fault.hpp"

#include <charconv>
#include <utility>
#include <vector>

namespace sandbox {
namespace {

constexpr std::string_view kGatewayPage =
    "<!DOCTYPE html><html><head><title>One moment</title></head>"
    "<body><h1>The site is being updated</h1></body></html>";

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  for (auto at = text.find(':'); at != text.npos; at = text.find(':')) {
    parts.push_back(text.substr(0, at));
    text.remove_prefix(at + 1);
  }
  parts.push_back(text);
  return parts;
}

std::optional<int> number(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool read_kind(std::string_view text, Fault& fault) {
  using Kind = Fault::Kind;
  if (text == "reset") return fault.kind = Kind::reset, true;
  if (text == "cut") return fault.kind = Kind::cut, true;
  if (text == "hang") return fault.kind = Kind::hang, true;
  if (text == "html") {
    fault.kind = Kind::body;
    fault.body = kGatewayPage;
    fault.content_type = "text/html";
    return true;
  }
  const auto status = number(text);
  if (!status || *status < 200 || *status > 599) return false;
  fault.status = *status;
  return true;
}

bool read_moment(std::string_view text, Fault& fault) {
  if (text != "before" && text != "after") return false;
  fault.moment = text == "after" ? Fault::Moment::after : Fault::Moment::before;
  return true;
}

Reply answer(int status, const Fault& fault) {
  Reply reply;
  reply.status = status;
  reply.headers.emplace_back("Content-Type", fault.content_type);
  if (!fault.retry_after.empty()) reply.headers.emplace_back("Retry-After", fault.retry_after);
  reply.body = fault.body;
  return reply;
}

}  // namespace

std::optional<Fault> read_fault(std::string_view text) {
  const auto parts = split(text);
  Fault fault;
  if (parts.size() < 2 || parts.size() > 4) return std::nullopt;
  if (!read_moment(parts[0], fault) || !read_kind(parts[1], fault)) return std::nullopt;
  if (parts.size() > 2) fault.path = parts[2];
  if (parts.size() > 3) {
    const auto times = number(parts[3]);
    if (!times || *times < 1) return std::nullopt;
    fault.times = *times;
  }
  return fault;
}

void Faults::add(Fault fault) {
  if (fault.times > 0) waiting_.push_back(std::move(fault));
}

std::optional<Fault> Faults::take(std::string_view method, std::string_view path) {
  for (auto fault = waiting_.begin(); fault != waiting_.end(); ++fault) {
    if (path.find(fault->path) == path.npos) continue;
    if (!fault->method.empty() && fault->method != method) continue;
    Fault taken = *fault;
    if (--fault->times == 0) waiting_.erase(fault);
    return taken;
  }
  return std::nullopt;
}

Reply spoilt(const Fault& fault, Reply reply) {
  switch (fault.kind) {
    case Fault::Kind::status:
      return answer(fault.status, fault);
    case Fault::Kind::body:
      return answer(200, fault);
    case Fault::Kind::reset:
      reply.delivery = Reply::Delivery::reset;
      return reply;
    case Fault::Kind::cut:
      reply.delivery = Reply::Delivery::cut;
      return reply;
    case Fault::Kind::hang:
      reply.delivery = Reply::Delivery::hang;
      return reply;
  }
  return reply;
}

}  // namespace sandbox
