// The strict stand-in accepts each parameter of the lists and refuses a misspelt one; it can answer
// each status code of docs/SERVICE.md 7.
#include <gtest/gtest.h>

#include "tests/interface/sandbox_world.hpp"

namespace interface {
namespace {

const std::map<std::string, std::string> kPaths = {
    {"customers", "/external/api/v3/customer"},
    {"ratings", "/external/api/v3/rating"},
    {"bouncers", "/external/api/v3/customer/getbouncers"},
};

// In the default dialect; `name` may be misspelt.
std::string written(const Parameter& parameter, const std::string& name) {
  if (parameter.name == "Cursor") return name + "=";
  if (parameter.name == "Limit") return name + "=7";
  static const std::map<std::string, std::string> forms = {
      {"DateFilter", "{}.From=2026-01-01&{}.To=2026-12-31"},
      {"[integer]", "{}=1&{}=2"},
      {"[string]", "{}=a%40example.test&{}=b%40example.test"},
      {"boolean", "{}=true"},
      {"[CustomerDataFilter]", "{}[0].CustomerDataColumnId=1&{}[0].Value=x"},
      {"[CustomerAnswerFilter]", "{}[0].BaseQuestionId=1200&{}[0].ScalePositionIds=120009"},
      {"ReviewSiteReviewStatus", "{}=Approved"},
  };
  std::string text = forms.at(parameter.type);
  for (auto at = text.find("{}"); at != text.npos; at = text.find("{}", at))
    text.replace(at, 2, name);
  return text;
}

std::string target(const Parameter& parameter, const std::string& name) {
  const bool ratings = parameter.list == "ratings" && name != "ReviewApprovedDateFilter";
  return kPaths.at(parameter.list) + "?" + written(parameter, name) +
         (ratings ? "&ReviewApprovedDateFilter.From=2026-01-01" : "");
}

TEST(SandboxParameters, AreAllTaken) {
  for (const Parameter& parameter : parameters()) {
    SandboxWorld world;
    const auto reply = world.get(target(parameter, parameter.name));
    EXPECT_EQ(reply.status, 200) << parameter.list << " " << parameter.name << "\n" << reply.body;
  }
}

TEST(SandboxParameters, AreTakenUnderTheirNamesOnly) {
  for (const Parameter& parameter : parameters()) {
    SandboxWorld world;
    const auto reply = world.get(target(parameter, parameter.name + "s2"));
    EXPECT_EQ(reply.status, 400) << parameter.list << " " << parameter.name;
  }
}

TEST(SandboxParameters, AreRefusedWhereAnotherListHasThem) {
  for (const Parameter& parameter : parameters()) {
    for (const auto& [list, path] : kPaths) {
      const bool has = std::ranges::any_of(parameters(), [&](const Parameter& other) {
        return other.list == list && other.name == parameter.name;
      });
      Parameter moved = parameter;
      moved.list = list;
      SandboxWorld world;
      EXPECT_EQ(world.get(target(moved, moved.name)).status, has ? 200 : 400)
          << list << " " << moved.name;
    }
  }
}

TEST(SandboxStatusCodes, CanAllBeHad) {
  for (const Code& code : codes()) {
    SandboxWorld world;
    sandbox::Fault fault;
    fault.status = code.status;
    if (code.status != 200) world.service.inject(fault);
    EXPECT_EQ(world.get(kPaths.at("customers")).status, code.status) << code.name;
  }
}

TEST(SandboxStatusCodes, ComeOfThemselvesWhereTheDocumentSaysWhen) {
  sandbox::Options options;
  options.limits = {*sandbox::read_limit("minute:2")};
  SandboxWorld world(options);
  const std::string list = kPaths.at("customers");
  EXPECT_EQ(world.service.handle({"GET", list, {}, ""}).status, 401);
  EXPECT_EQ(world.service.handle({"GET", list, {{"Authorization", "Bearer x"}}, ""}).status, 401);
  EXPECT_EQ(world.get(list).status, 200);
  EXPECT_EQ(world.get(list + "?Limit=0").status, 400);
  EXPECT_EQ(world.get(list).status, 429);
}

}  // namespace
}  // namespace interface
