#include "tests/simulation/processes/faulty_service.hpp"

namespace simulation {

using sandbox::Reply;
using sandbox::Request;
using Delivery = Reply::Delivery;

namespace {

constexpr std::size_t kThreads = 8;

sandbox::Options options_of(double lives_speed, std::uint64_t seed) {
  sandbox::Options options;
  options.token.clear();
  options.lives_speed = lives_speed;
  options.seed = seed;
  return options;
}

http::ServerOptions with_threads() {
  http::ServerOptions options;
  options.lanes = {http::Lane{kThreads}};
  return options;
}

sandbox::TimePoint system_time() {
  return std::chrono::time_point_cast<std::chrono::microseconds>(std::chrono::system_clock::now());
}

Reply say(int status, sandbox::Headers headers = {}, std::string body = "") {
  Reply reply;
  reply.status = status;
  reply.headers = std::move(headers);
  reply.body = std::move(body);
  return reply;
}

// An add of one customer that is too large is its row's fault.
bool is_several(const Request& request) {
  return request.body.find("\"Email\"") != request.body.rfind("\"Email\"");
}

Reply delivered(Reply reply, Delivery how) {
  reply.delivery = how;
  return reply;
}

}  // namespace

FaultyService::FaultyService(double share, bool lies, double lives_speed, std::uint64_t seed)
    : share_(share),
      may_lie_(lies),
      random_(seed ^ 0x3173ULL),
      service_(options_of(lives_speed, seed), system_time),
      server_(with_threads(), [this](const Request& request) { return answer(request); }) {}

Reply FaultyService::answer(const Request& request) {
  int kind = 0;
  bool lies = false;
  {
    const std::lock_guard lock(mutex_);
    if (calm_ || !happens(random_, share_)) return service_.handle(request);
    kind = between(random_, 0, 12);
    lies = may_lie_ && request.method == "POST" && happens(random_, 0.3);
  }
  ++faults_;
  return lies ? lie(request, kind) : go_wrong(request, kind);
}

Reply FaultyService::go_wrong(const Request& request, int kind) {
  switch (kind) {
    case 0:
      return delivered({}, Delivery::reset);
    case 1:
      return delivered(service_.handle(request), Delivery::reset);
    case 2:
      return delivered(service_.handle(request), Delivery::cut);
    case 3:
      return delivered(service_.handle(request), Delivery::hang);
    case 4:
      service_.handle(request);
      return say(500);
    case 5:
      return say(503);
    case 6:
      return say(429, {{"Retry-After", "1"}});
    case 7:
      return say(502, {{"Content-Type", "text/html"}}, "<html>");
    case 8:
      return say(401);
    case 9:
      return say(is_several(request) ? 413 : 503);
    case 10:
      return say(408);
    case 11:
      service_.handle(request);
      return say(408);
    default:
      Reply late = service_.handle(request);
      late.delay = std::chrono::milliseconds{1500};  // longer than the client waits
      return late;
  }
}

Reply FaultyService::lie(const Request& request, int kind) {
  ++lies_;
  if (kind % 3 == 0) {
    return say(200, {{"Content-Type", "text/html"}}, "<!DOCTYPE html><title>Sign in</title>");
  }
  service_.handle(request);
  return kind % 3 == 1 ? say(503, {{"Retry-After", "1"}}) : say(404);
}

}  // namespace simulation
