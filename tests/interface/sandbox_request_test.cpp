// Each field of a request, alone in a batch: the stand-in accepts it, and refuses the same field
// with a misspelt name.
#include <gtest/gtest.h>

#include "tests/interface/sandbox_world.hpp"

namespace interface {
namespace {

const std::string kImportRequest = "ImportCustomersRequest";

TEST(SandboxRequest, TakesEachFieldInJson) {
  for (const Leaf& leaf : leaves(kImportRequest)) {
    SandboxWorld world;
    const auto reply = world.add(batch_with(leaf).dump(), "application/json");
    EXPECT_EQ(reply.status, 200) << leaf.path() << "\n" << reply.body;
  }
}

TEST(SandboxRequest, TakesNoOther) {
  for (const Leaf& leaf : leaves(kImportRequest)) {
    SandboxWorld world;
    std::string body = batch_with(leaf).dump();
    const std::string name = "\"" + leaf.field().name + "\":";
    body.replace(body.rfind(name), name.size(), "\"" + leaf.field().name + "s2\":");
    const auto reply = world.add(body, "application/json");
    EXPECT_EQ(reply.status, 400) << body;
    EXPECT_NE(reply.body.find(leaf.field().name + "s2"), std::string::npos) << reply.body;
  }
}

TEST(SandboxRequest, TakesAllFieldsAtOnce) {
  Json all = least_batch();
  for (const Leaf& leaf : leaves(kImportRequest)) {
    const Json::json_pointer at(leaf.pointer());
    all[at] = batch_with(leaf)[at];
  }
  SandboxWorld world;
  EXPECT_EQ(world.add(all.dump(), "application/json").status, 200);
}

}  // namespace
}  // namespace interface
