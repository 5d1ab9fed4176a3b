#include "sandbox/operations/operations.hpp"

#include <fmt/format.h>

namespace sandbox {
namespace {

// The body of an accepted add; docs/SERVICE.md 4.1 leaves it open.
Outcome accepted(Options::AddReply reply, std::int64_t batch, std::size_t count) {
  using Kind = Options::AddReply;
  if (reply == Kind::accepted) return {202, "", std::nullopt, {}};
  if (reply == Kind::string) {
    return {200, "string", Node{fmt::format("{} customers were added", count)}, {}};
  }
  if (reply == Kind::empty) return {};
  Object body;
  put(body, "BatchId", batch);
  put(body, "Message", std::string("OK"));
  return {200, "ImportCustomersResponse", Node{std::move(body)}, {}};
}

// A service that refuses a batch and stores its faultless customers all the same.
void store_the_sound(World world, Intake intake) {
  std::vector<Imported> sound;
  for (std::size_t at = 0; at < intake.customers.size(); ++at) {
    if (intake.sound[at]) sound.push_back(std::move(intake.customers[at]));
  }
  intake.customers = std::move(sound);
  if (!intake.customers.empty()) world.store.add(std::move(intake), world.now);
}

}  // namespace

std::vector<DataColumn> built_in_columns() {
  return {{1, "OrderNumber", "Order number", false, false},
          {2, "FirstName", "First name", false, false},
          {3, "LastName", "Last name", false, false},
          {4, "Language", "Language", false, false},
          {5, "Product", "Product", false, false},
          {6, "Remark", "Remark", false, false},
          {9, "OldReference", "Reference (old)", false, true}};
}

Outcome add_customers(World world, const Node& body) {
  const Options& options = world.options;
  const IntakeRules rules{world.columns,
                          options.customers_per_add,
                          {options.strict, options.style.dates.offset},
                          options.data_values};
  Findings findings;
  Intake intake = read_batch(body, world.now, rules, findings);
  if (!findings.empty()) {
    if (options.partial_refusal) store_the_sound(world, std::move(intake));
    return {400, "", std::nullopt, std::move(findings)};
  }
  const std::size_t count = intake.customers.size();
  const std::int64_t batch = world.store.add(std::move(intake), world.now);
  return accepted(options.add_reply, batch, count);
}

}  // namespace sandbox
