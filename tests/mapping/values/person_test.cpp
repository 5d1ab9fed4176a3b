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

// Systems differ in how they write a letter with an accent.
TEST(NormalAddress, HasLettersWithAnAccentAsOneCharacter) {
  EXPECT_EQ(normal_address("JOSE\u0301@x.test"), "jos\u00E9@x.test");
  EXPECT_EQ(normal_address("\u1EBF@x.test"), normal_address("e\u0302\u0301@x.test"));
  EXPECT_EQ(normal_address("t\u0301@x.test"), "t\u0301@x.test") << "there is no such character";
  EXPECT_EQ(normal_address("\u0301@x.test"), "\u0301@x.test");
  EXPECT_EQ(normal_address("e\xCC@x.test"), "e\xCC@x.test") << "no UTF-8";
}

// RFC 3492, with examples that Python's codec "punycode" decodes alike.
TEST(NormalAddress, HasTheLettersOfADomainInPunycode) {
  EXPECT_EQ(normal_address("a@XN--Mnchen-3YA.test"), "a@m\u00FCnchen.test");
  EXPECT_EQ(normal_address("a@xn--bcher-kva.xn--p1ai"), "a@b\u00FCcher.\u0440\u0444");
  EXPECT_EQ(normal_address("a@xn--fiqs8s"), "a@\u4E2D\u56FD");
  for (const char* address : {"a@xn--.test", "a@xn---.test", "a@xn--zzzzzzzzzzzzzzzzzzzz.test",
                              "a@xn--99999999999.test", "a@xn--0.test", "xn--p1ai", "xn--p1ai@x"})
    EXPECT_EQ(normal_address(address), address);
  const std::string longer = "a@xn--" + std::string(60, 'a') + ".test";
  EXPECT_EQ(normal_address(longer), longer);
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
