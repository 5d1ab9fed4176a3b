// The stand-in in XML: each field of a request is accepted and no other; each field of a response
// has its name and its item element.
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "connectors/service/query.hpp"
#include "tests/interface/lives.hpp"
#include "tests/interface/xml_tree.hpp"

namespace interface {
namespace {

using testing::IsEmpty;

const std::string kRequest = "ImportCustomersRequest";

sandbox::Options ordered() {
  sandbox::Options options;
  options.style.xml.expect_alphabetical = true;
  return options;
}

std::string body_of(const Json& batch) {
  return "<" + kRequest + ">" + xml_inside(batch, kRequest) + "</" + kRequest + ">";
}

TEST(SandboxXmlRequest, TakesEachField) {
  for (const Leaf& leaf : leaves(kRequest)) {
    SandboxWorld world(ordered());
    const auto reply = world.add(body_of(batch_with(leaf)), "application/xml");
    EXPECT_EQ(reply.status, 200) << leaf.path() << "\n" << reply.body;
  }
}

TEST(SandboxXmlRequest, TakesNoOther) {
  for (const Leaf& leaf : leaves(kRequest)) {
    if (leaf.field().is_list()) continue;  // its last element belongs to an item
    SandboxWorld world;
    std::string body = body_of(batch_with(leaf));
    const std::string open = "<" + leaf.field().name + ">", close = "</" + leaf.field().name + ">";
    body.replace(body.rfind(close), close.size(), "</" + leaf.field().name + "s2>");
    body.replace(body.rfind(open), open.size(), "<" + leaf.field().name + "s2>");
    EXPECT_EQ(world.add(body, "application/xml").status, 400) << body;
  }
}

// Compares the elements of a response with the copied tables; differences go to `found`.
void compare(const XmlNode& node, const std::string& resource, const std::string& path,
             std::set<std::string>& members, std::vector<std::string>& found) {
  for (const XmlNode& child : node.children) {
    const std::string place = path.empty() ? child.name : path + "." + child.name;
    const auto& all = fields().at(resource);
    const auto field = std::ranges::find(all, child.name, &Field::name);
    if (field == all.end()) {
      found.push_back(place + " is not in the document");
      continue;
    }
    const bool object = fields().count(field->type) != 0;
    if (!object) members.insert(place);
    if (!field->is_list()) {
      if (object) compare(child, field->type, place, members, found);
      continue;
    }
    for (const XmlNode& item : child.children) {
      if (item.name != field->item) found.push_back(place + ": an item called " + item.name);
      if (object) compare(item, field->type, place + "[]", members, found);
    }
  }
}

struct SandboxXmlResponse : Lives, testing::WithParamInterface<List> {
  XmlNode page(const std::string& cursor) {
    const auto reply = world.service.handle(
        {"GET",
         GetParam().path + "?" + GetParam().query +
             "&Cursor=" + surveybridge::service::percent_encode(cursor),
         {{"Authorization", "Bearer sandbox-token"}, {"Accept", "application/xml"}},
         ""});
    EXPECT_EQ(reply.status, 200) << reply.body;
    return xml_tree(reply.body);
  }
};

TEST_P(SandboxXmlResponse, ShowsEachFieldAndNoOther) {
  std::set<std::string> members;
  std::vector<std::string> amiss;
  for (int i = 0; i < 12; ++i, world.now += std::chrono::hours(8 * 24)) {
    std::string cursor;
    do {
      const XmlNode answer = page(cursor);
      cursor.clear();
      for (const XmlNode& child : answer.children) {
        if (child.name == "NextCursor") cursor = child.text;
        if (child.name != GetParam().array) continue;
        for (const XmlNode& row : child.children) {
          EXPECT_EQ(row.name, GetParam().root);
          compare(row, GetParam().root, "", members, amiss);
        }
      }
    } while (!cursor.empty());
  }
  EXPECT_THAT(amiss, IsEmpty());
  EXPECT_THAT(lacking(paths_of(GetParam().root), members), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Of, SandboxXmlResponse, testing::ValuesIn(kLists),
                         [](const auto& one) { return one.param.root; });

TEST(SandboxXmlLookups, ShowEachField) {
  const struct {
    std::string root, path;
  } lookups[] = {{"CustomerDataColumn", "/external/api/v1/customerdatacolumn"},
                 {"Status", "/external/api/v3/customer/getcustomerstatuses"}};
  for (const auto& lookup : lookups) {
    SandboxWorld world;
    const auto reply = world.service.handle(
        {"GET",
         lookup.path,
         {{"Authorization", "Bearer sandbox-token"}, {"Accept", "application/xml"}},
         ""});
    std::set<std::string> members;
    std::vector<std::string> amiss;
    const XmlNode answer = xml_tree(reply.body);
    for (const XmlNode& row : answer.children.at(0).children)
      compare(row, lookup.root, "", members, amiss);
    EXPECT_THAT(amiss, IsEmpty());
    EXPECT_EQ(members, paths_of(lookup.root));
  }
}

TEST(SandboxXmlCodes, AreThoseOfTheDocument) {
  for (const Code& code : codes()) {
    SandboxWorld world;
    sandbox::Fault fault;
    fault.status = code.status;
    if (code.status != 200) world.service.inject(fault);
    const auto reply = world.service.handle(
        {"GET",
         "/external/api/v3/customer",
         {{"Authorization", "Bearer sandbox-token"}, {"Accept", "application/xml"}},
         ""});
    EXPECT_EQ(reply.status, code.status) << code.name;
  }
}

}  // namespace
}  // namespace interface
