// route(): the operation for a path and method.
#include "sandbox/lists/show.hpp"
#include "sandbox/operations/bodies.hpp"
#include "sandbox/operations/operations.hpp"

namespace sandbox {
namespace {

constexpr std::string_view kAdd = "/external/api/v3/customer/add";
constexpr std::string_view kCustomers = "/external/api/v3/customer";
constexpr std::string_view kRatings = "/external/api/v3/rating";
constexpr std::string_view kBouncers = "/external/api/v3/customer/getbouncers";
constexpr std::string_view kStatuses = "/external/api/v3/customer/getcustomerstatuses";
constexpr std::string_view kColumnsV1 = "/external/api/v1/customerdatacolumn";
constexpr std::string_view kColumnsV3 = "/external/api/v3/customerdatacolumn";

std::optional<ListKind> list_at(std::string_view path) {
  if (path == kCustomers) return ListKind::customers;
  if (path == kRatings) return ListKind::ratings;
  if (path == kBouncers) return ListKind::bouncers;
  return std::nullopt;
}

bool is_lookup(std::string_view path) {
  return path == kStatuses || path == kColumnsV1 || path == kColumnsV3;
}

// For operations without URI parameters: the first parameter is the fault.
bool refuse_parameters(const World& world, const Target& target, Outcome& refused) {
  if (!world.options.strict || target.query.empty()) return false;
  refused.findings.add(target.query.front().name, "no such parameter");
  return true;
}

Outcome add(World world, const Request& request, const Target& target) {
  Outcome refused = failed(400);
  if (refuse_parameters(world, target, refused)) return refused;
  const std::size_t largest = world.options.largest_body;
  if (largest != 0 && request.body.size() > largest) return failed(413);
  const auto format = format_of_body(request);
  if (!format) return failed(415);
  const auto parsed = read_body(request.body, *format, world.options);
  if (const auto* node = std::get_if<Node>(&parsed)) return add_customers(world, *node);
  refused.findings.add("request", std::get<Malformed>(parsed).message);
  return refused;
}

Outcome look_up(World world, const Target& target) {
  Outcome refused = failed(400);
  if (refuse_parameters(world, target, refused)) return refused;
  if (target.path == kStatuses) return {200, "GetCustomerStatusesResponse", show_statuses(), {}};
  return {200, "GetCustomerDataColumnsResponse", show_columns(world.columns), {}};
}

}  // namespace

bool is_add(std::string_view path) {
  return path == kAdd;
}

Outcome failed(int status) {
  return {status, "", std::nullopt, {}};
}

Outcome route(World world, const Request& request, const Target& target) {
  const auto list = list_at(target.path);
  if (!list && !is_add(target.path) && !is_lookup(target.path)) return failed(404);
  if (request.method != (is_add(target.path) ? "POST" : "GET")) return failed(405);
  if (is_add(target.path)) return add(world, request, target);
  if (list) return list_page(world, *list, target.query);
  return look_up(world, target);
}

}  // namespace sandbox
