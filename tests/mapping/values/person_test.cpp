#include "mapping/values/person.hpp"

#include <gtest/gtest.h>

namespace surveybridge::mapping {
namespace {

TEST(PersonOf, IsTheKeyedHashOfTheNormalAddress) {
  // printf 'ann@example.test' | openssl dgst -sha256 -hmac key
  EXPECT_EQ(person_of("key", "ann@example.test"),
            "37029dabd8d64aae1ed801cf7740b38378520947bfe4900edfda57a027204b2a");
}

TEST(PersonOf, IsTheSameInOtherCaseAndWithBlanksAround) {
  EXPECT_EQ(person_of("key", " Ann@Example.TEST\t"), person_of("key", "ann@example.test"));
}

TEST(PersonOf, IsHalfAsLongByAKeyThatSaysSo) {
  // printf 'ann@example.test' | openssl dgst -sha256 -hmac 128:key
  EXPECT_EQ(person_of("128:key", "ann@example.test"), "cd2b2d0879f851b7eef00d2e65748515");
}

TEST(PersonOf, IsTheSameInOtherCaseBeyondAsciiByANewKey) {
  EXPECT_EQ(person_of("128:key", "J\xC3\x9CRGEN@ex\xC3\x84mple.test"),
            person_of("128:key", "j\xC3\xBCrgen@EX\xC3\xA4MPLE.test"));
  EXPECT_NE(person_of("128:key", "j\xC3\xBCrgen@example.test"),
            person_of("128:key", "jurgen@example.test"));
  EXPECT_NE(person_of("key", "J\xC3\x9CRGEN@example.test"),
            person_of("key", "j\xC3\xBCrgen@example.test"))
      << "the store of an earlier version keeps its hashes";
  EXPECT_NE(person_of("128:key", "\xFF@example.test"), "") << "no UTF-8";
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
