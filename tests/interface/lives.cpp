#include "tests/interface/lives.hpp"

namespace interface {
namespace {

Json full_batch() {
  Json batch = least_batch();
  for (const Leaf& leaf : leaves("ImportCustomersRequest"))
    if (leaf.path().rfind("Customers[].", 0) == 0) {
      const Json::json_pointer at(leaf.pointer());
      batch[at] = batch_with(leaf)[at];
    }
  const Json one = batch["Customers"][0];
  for (int i = 1; i < 100; ++i) {
    Json next = one;
    next["Email"] = "c" + std::to_string(i) + "@example.test";
    next.erase("SendDate");
    batch["Customers"].push_back(std::move(next));
  }
  return batch;
}

sandbox::Options asked_twice() {
  sandbox::Options options;
  options.second_feedback = 0.5;
  return options;
}

}  // namespace

Lives::Lives() : world(asked_twice()) {
  const auto reply = world.add(full_batch().dump(), "application/json");
  EXPECT_EQ(reply.status, 200) << reply.body;
}

Paths paths_of(const std::string& root) {
  Paths paths;
  for (const Leaf& leaf : leaves(root))
    paths.insert(leaf.path());
  return paths;
}

std::vector<std::string> lacking(const Paths& wanted, const Paths& seen) {
  std::vector<std::string> lacks;
  for (const std::string& path : wanted)
    if (seen.count(path) == 0) lacks.push_back(path);
  return lacks;
}

}  // namespace interface
