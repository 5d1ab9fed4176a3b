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
