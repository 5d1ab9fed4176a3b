// The stand-in returns each field of a response, with a value at some time, and no field that
// docs/SERVICE.md does not have.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/interface/lives.hpp"

namespace interface {
namespace {

using namespace std::chrono_literals;
using testing::IsEmpty;
using testing::IsSubsetOf;

// The stand-in returns these fields, but always without a value: it encrypts no answer, and closes
// no survey that was not sent.
const Paths kAlwaysNull = {"Answers[].CertificateThumbprint", "Answers[].EncryptionKey",
                           "SurveyClosedDate"};

// Members seen in answers, and those that had a value.
struct Seen {
  Paths members, values;

  void add(const Json& object, const std::string& path = "") {
    for (const auto& [name, value] : object.items()) {
      const std::string place = path.empty() ? name : path + "." + name;
      if (value.is_array()) {
        for (const Json& item : value)
          add(item, place + "[]");
      } else if (value.is_object()) {
        add(value, place);
      } else {
        members.insert(place);
        if (!value.is_null()) values.insert(place);
      }
    }
  }
};

// Read every eight days.
struct SandboxResponse : Lives, testing::WithParamInterface<List> {
  Seen look(const List& list) {
    Seen seen;
    for (int i = 0; i < 12; ++i, world.now += 8 * 24h)
      world.walk(list.path, list.query, [&](const Json& page) {
        for (const Json& row : page.at(list.array))
          seen.add(row);
      });
    return seen;
  }
};

TEST_P(SandboxResponse, ShowsEachFieldAndNoOther) {
  const Seen seen = look(GetParam());
  const Paths document = paths_of(GetParam().root);
  EXPECT_THAT(lacking(document, seen.members), IsEmpty());
  EXPECT_THAT(lacking(seen.members, document), IsEmpty());
  EXPECT_THAT(lacking(document, seen.values), IsSubsetOf(kAlwaysNull));
}

INSTANTIATE_TEST_SUITE_P(Of, SandboxResponse, testing::ValuesIn(kLists),
                         [](const auto& one) { return one.param.root; });

TEST(SandboxLookups, ShowEachField) {
  SandboxWorld world;
  const struct {
    std::string root, path, array;
  } lookups[] = {
      {"CustomerDataColumn", "/external/api/v1/customerdatacolumn", "CustomerDataColumns"},
      {"Status", "/external/api/v3/customer/getcustomerstatuses", "Statuses"},
  };
  for (const auto& lookup : lookups) {
    Seen seen;
    const Json answer = Json::parse(world.get(lookup.path).body);
    for (const Json& row : answer[lookup.array])
      seen.add(row);
    EXPECT_EQ(seen.values, paths_of(lookup.root)) << lookup.path;
  }
}

}  // namespace
}  // namespace interface
