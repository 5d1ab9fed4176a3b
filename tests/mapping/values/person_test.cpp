#include "mapping/values/person.hpp"

#include <gtest/gtest.h>

namespace surveybridge::mapping {
namespace {

TEST(PersonOf, IsTheFirstHalfOfTheKeyedHashOfTheNormalAddress) {
  // printf 'ann@example.test' | openssl dgst -sha256 -hmac key
  EXPECT_EQ(person_of("key", "ann@example.test"), "37029dabd8d64aae1ed801cf7740b383");
}

TEST(PersonOf, IsTheSameInOtherCaseAndWithBlanksAround) {
  EXPECT_EQ(person_of("key", " Ann@Example.TEST\t"), person_of("key", "ann@example.test"));
  EXPECT_EQ(person_of("key", "\u202Aann@example.test\u202C\u202F"),
            person_of("key", "ann@example.test"));
}

TEST(PersonOf, IsTheSameInOtherCaseBeyondAscii) {
  EXPECT_EQ(person_of("key", "J\xC3\x9CRGEN@ex\xC3\x84mple.test"),
            person_of("key", "j\xC3\xBCrgen@EX\xC3\xA4MPLE.test"));
  EXPECT_NE(person_of("key", "j\xC3\xBCrgen@example.test"),
            person_of("key", "jurgen@example.test"));
  EXPECT_NE(person_of("key", "\xFF@example.test"), "") << "no UTF-8";
}

TEST(PersonOf, IsTheSameInOtherCaseOfEveryScript) {
  EXPECT_EQ(person_of("key", "ΝΙΚΟΣ@x.test"), person_of("key", "νικος@x.test"));
  EXPECT_EQ(person_of("key", "νικοσ@x.test"), person_of("key", "νικος@x.test"));
  EXPECT_EQ(person_of("key", "ƠƯƏ@x.test"), person_of("key", "ơưə@x.test"));
  EXPECT_EQ(person_of("key", "ҚӘӨҰ@x.test"), person_of("key", "қәөұ@x.test"));
}

TEST(PersonOf, IsTheSameForManyAddressesInARow) {
  const PersonHash hash("key");
  for (const char* address : {"ann@example.test", "", "anna@example.test", "ann@example.test"})
    EXPECT_EQ(hash.of(address), person_of("key", address));
}

TEST(PersonOf, DiffersByAddressAndByKey) {
  EXPECT_NE(person_of("key", "ann@example.test"), person_of("key", "anna@example.test"));
  EXPECT_NE(person_of("key", "ann@example.test"), person_of("other", "ann@example.test"));
  EXPECT_NE(person_of("key", "\xC3\x89va@example.test"), person_of("key", "va@example.test"));
}

TEST(PersonOf, KnowsNobodyWithoutAnAddress) {
  EXPECT_EQ(person_of("key", ""), "");
  EXPECT_EQ(person_of("key", " \t"), "");
}

}  // namespace
}  // namespace surveybridge::mapping
