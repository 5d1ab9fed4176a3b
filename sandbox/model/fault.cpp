#include "sandbox/model/fault.hpp"

#include <regex>

namespace sandbox {
namespace {

constexpr std::string_view kGatewayPage =
    "<!DOCTYPE html><html><head><title>One moment</title></head>"
    "<body><h1>The site is being updated</h1></body></html>";

Reply answer_of(int status, const Fault& fault) {
  Reply reply;
  reply.status = status;
  reply.headers.emplace_back("Content-Type", fault.content_type);
  reply.body = fault.body;
  return reply;
}

}  // namespace

std::optional<Fault> read_fault(std::string_view text) {
  static const std::regex kForm(
      R"((before|after):(reset|cut|hang|html|[2-5]\d\d)(?::([^:]*)(?::([1-9]\d{0,5}))?)?)");
  std::match_results<std::string_view::const_iterator> found;
  if (!std::regex_match(text.begin(), text.end(), found, kForm)) return std::nullopt;
  Fault fault;
  if (found[1] == "after") fault.moment = Fault::Moment::after;
  const std::string kind = found.str(2);
  if (kind == "reset") {
    fault.kind = Fault::Kind::reset;
  } else if (kind == "cut") {
    fault.kind = Fault::Kind::cut;
  } else if (kind == "hang") {
    fault.kind = Fault::Kind::hang;
  } else if (kind == "html") {
    fault.kind = Fault::Kind::body;
    fault.body = kGatewayPage;
    fault.content_type = "text/html";
  } else {
    fault.status = std::stoi(kind);
  }
  fault.path = found.str(3);
  if (found[4].matched) fault.times = std::stoi(found.str(4));
  return fault;
}

std::optional<Fault> Faults::take(std::string_view path) {
  for (auto fault = waiting_.begin(); fault != waiting_.end(); ++fault) {
    if (path.find(fault->path) == path.npos) continue;
    Fault taken = *fault;
    if (--fault->times == 0) waiting_.erase(fault);
    return taken;
  }
  return std::nullopt;
}

Reply spoilt(const Fault& fault, Reply reply) {
  switch (fault.kind) {
    case Fault::Kind::status:
      return answer_of(fault.status, fault);
    case Fault::Kind::body:
      return answer_of(200, fault);
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
