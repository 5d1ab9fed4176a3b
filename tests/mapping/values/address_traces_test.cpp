#include "mapping/values/address_traces.hpp"

#include <gmock/gmock.h>

namespace surveybridge::mapping {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kAnn = "ann@example.test";

bool holds(std::string_view text, Beside beside = Beside::letters) {
  return holds_address(text, kAnn, beside, Cut::anywhere);
}

TEST(AddressTraces, AreFoundInEveryNotation) {
  for (const char* text :
       {"ann@example.test", "ANN@example.test", "x ann@example.test y", "ann%40example.test",
        "ann%2540example%2etest", R"(ann\u0040example.test)", R"(ann@example.test)",
        R"(\\u0061nn\\u0040example.test)", "&#97;nn&commat;example&period;test",
        "&amp;#97;nn@example.test", "ann=40example=2Etest", "ann@exam=\r\nple.test",
        "e=ann%40example.test", "abby=ann@example.test", "cut: ann@exam", "cut: ann@\u2026 (400)",
        "cut: ann%40exam", "<ann@example.test>", "-ann@example.test-"})
    EXPECT_TRUE(holds(text)) << text;
}

TEST(AddressTraces, AreNotPartsOfOtherAddresses) {
  for (const char* text :
       {"joann@example.test", "ann@example.tests", "ann@example", "ann@other.test",
        "ann example.test", "9ann@example.test", "\u00e9ann@example.test"}) {
    if (std::string_view(text) == "ann@example") continue;  // it may have been cut
    EXPECT_FALSE(holds(text)) << text;
  }
  for (const char* text : {"jo-ann@example.test", "jo.ann@example.test", "jo_ann@example.test",
                           "jo+ann@example.test", "ann@example.test.nl", "ann@example.test-1"}) {
    EXPECT_TRUE(holds(text)) << text;
    EXPECT_FALSE(holds(text, Beside::marks)) << text;
  }
  for (const char* text : {"-ann@example.test", "ann@example.test.", "see ann@example.test. Then",
                           "=ann@example.test", "'ann@example.test'"})
    EXPECT_TRUE(holds(text, Beside::marks)) << text;
}

// "\u0301" is an accent on the letter before it.
TEST(AddressTraces, AreApartFromSignsOfAnyScriptAndNotFromLetters) {
  for (const char* text :
       {"\u201Eann@example.test\u201C", "\u2018ann@example.test\u2019",
        "\u00ABann@example.test\u00BB", "\u00A0ann@example.test\u00A0",
        "\u200Bann@example.test\u200B", "ann@example.test\u2026", "ann@example.test\u3002",
        "\u300Cann@example.test\u300D", "\uFF1Aann@example.test\uFF0C", "\uFEFFann@example.test",
        "\U0001F4E7ann@example.test", "\u20ACann@example.test", "\240ann@example.test\240",
        "\342\200ann@example.test\342\200"}) {
    EXPECT_TRUE(holds(text)) << text;
    EXPECT_TRUE(holds(text, Beside::marks)) << text;
    EXPECT_THAT(traces_in(text).addresses, Contains(kAnn)) << text;
  }
  EXPECT_EQ(without_address("Ask \u201Eann@example.test\u201C.", kAnn, "(erased)"),
            "Ask \u201E(erased)\u201C.");
  for (const char* text :
       {"\u00e9ann@example.test", "\u4E2Dann@example.test", "ann@example.test\u00e9",
        "ann@example.test\u0301", "\u00AAann@example.test", "\uFF11ann@example.test",
        "\u0661ann@example.test"}) {
    EXPECT_FALSE(holds(text)) << text;
    EXPECT_THAT(traces_in(text).addresses, testing::Not(Contains(kAnn))) << text;
  }
}

// Each address that is erased from keys is named, also one with a sign or a letter beyond ASCII.
TEST(AddressTraces, NameAnAddressWithSignsInItself) {
  for (const std::string address : {"ann@paral\u00B7lel.test", "ren\u00e9@example.test"}) {
    const std::string text = "(" + address + ")";
    EXPECT_TRUE(holds_address(text, address, Beside::letters, Cut::nowhere)) << text;
    EXPECT_THAT(traces_in(text).addresses, Contains(address)) << text;
  }
}

TEST(AddressTraces, AreTakenOutOfATextThatStays) {
  EXPECT_EQ(without_address("Ask ANN@example.test, or jo-ann@example.test.", kAnn, "(erased)"),
            "Ask (erased), or jo-ann@example.test.");
  EXPECT_EQ(without_address("ann@example.test ann@example.test", kAnn, "-"), "- -");
  EXPECT_EQ(without_address("write to ann%40example.test", kAnn, "(erased)"), "(erased)");
  EXPECT_EQ(without_address("nothing", kAnn, "(erased)"), "nothing");
}

TEST(Words, AreTakenOutInNotationsWithinEachOther) {
  constexpr const char* kWord = "s3/cret+to\"ken&";
  for (const char* text :
       {R"(s3/cret+to"ken&)", R"(s3\/cret\u002bto\"ken&)", R"(s3\\/cret+to\\\"ken&)",
        R"(s3\\\/cret\\u002bto\\\"ken\\u0026)", "s3%252Fcret%252bto%2522ken%2526",
        "s3%5C%2Fcret%2Bto%5C%22ken%26", "s3/cret&amp;#43;to&amp;quot;ken&amp;amp;",
        R"(s3\u00252Fcret+to\\u0022ken\u0026amp;)"})
    EXPECT_EQ(without_word("<" + std::string(text) + ">", kWord, "***"), "<***>") << text;
  for (const char* text : {"s3%252Gcret", R"(\\u00)", "%25", "&amp;#43", R"(\\)"})
    EXPECT_EQ(without_word(text, kWord, "***"), text);
  EXPECT_EQ(without_word("a%2525b%25b", "%b", "-"), "a--");
}

TEST(AddressTraces, NameEveryAddressThatWouldBeFound) {
  for (const char* text :
       {"ann@example.test", "v-1/ann@example.test", "jo-ann@example.test-7", "ann%40example.test",
        R"(ann\u0040example.test)", "x=ann@example.test.nl"})
    EXPECT_THAT(traces_in(text).addresses, Contains("ann@example.test")) << text;
  EXPECT_THAT(traces_in("joann@example.test").addresses, testing::Not(Contains(kAnn)));
  EXPECT_THAT(traces_in("1234").addresses, IsEmpty());
  std::string many;
  for (int i = 0; i < 20'000; ++i)
    many += "a" + std::to_string(i) + "@example.test ";
  EXPECT_FALSE(traces_in(many).whole);
}

TEST(AddressTraces, AreNamedWithoutPartsOfALongerAddressWhereMarksCount) {
  const auto apart = [](std::string_view text) { return traces_in(text, Beside::marks).addresses; };
  EXPECT_THAT(apart(R"("jo-ann.lee@mail.example.test.")"),
              ElementsAre("jo-ann.lee@mail.example.test"));
  EXPECT_THAT(apart("<ann%40example.test>"), ElementsAre(kAnn));
}

TEST(AddressesMeant, AreThoseOfAnyNotation) {
  for (const char* text :
       {"ann@example.test", "Ann Lee <ann@example.test>", "mailto:ann@example.test",
        "ann@example.test.", "bob@x.test; ann@example.test", "bob@x.test,ann%40example.test",
        "ann&#64;example.test", "ann%40example.test", "%61nn@example.test", "7;#ann@example.test",
        R"(ann\u0040example.test)", "{\"Address\":\"ann@example.test\"}", "\"ann\"@example.test",
        "Ann <ann @ example.test>"})
    EXPECT_THAT(addresses_meant(text), Contains(kAnn)) << text;
  EXPECT_THAT(addresses_meant("jo-ann@example.test"), ElementsAre("jo-ann@example.test"));
  EXPECT_THAT(addresses_meant("o'ann@example.test"), ElementsAre("o'ann@example.test"));
  EXPECT_EQ(addresses_meant("bob@x.test; ann@example.test").front(), "bob@x.test");
  EXPECT_THAT(addresses_meant("ann (at) example.test"), IsEmpty());
  EXPECT_THAT(addresses_meant(""), IsEmpty());
}

}  // namespace
}  // namespace surveybridge::mapping
