#include <gtest/gtest.h>

#include "mapping/values/text.hpp"

namespace surveybridge::mapping {
namespace {

TEST(Letters, ComeInPairs) {
  const struct {
    std::string_view small, capital;
  } pairs[] = {
      {"az09", "AZ09"},
      {"àöøþÿ", "ÀÖØÞŸ"},
      {"āįĳķĺňŋŷźž", "ĀĮĲĶĹŇŊŶŹŽ"},
      {"șț", "ȘȚ"},
      {"άέήίόύώ", "ΆΈΉΊΌΎΏ"},
      {"αρσω", "ΑΡΣΩ"},
      {"абвя ёђџ", "АБВЯ ЁЂЏ"},
      {"ґ", "Ґ"},
      {"ḁẕ ạỹỿ", "ḀẔ ẠỸỾ"},
      {"ơưə", "ƠƯƏ"},
      {"қәөұ", "ҚӘӨҰ"},
      {"աբգ", "ԱԲԳ"},
  };
  for (const auto& [small, capital] : pairs) {
    EXPECT_EQ(in_capitals(small), capital);
    EXPECT_EQ(in_small_letters(capital), small);
    EXPECT_EQ(in_capitals(capital), capital);
    EXPECT_EQ(in_small_letters(small), small);
  }
}

TEST(Letters, WithoutAPartnerStay) {
  for (const auto* text :
       {"", "ß", "ĸ", "ı", "İ", "×÷", "@[`{", "日本語", "😀", "\u00AA\u00BA", "٣"}) {
    EXPECT_EQ(in_capitals(text), text);
    EXPECT_EQ(in_small_letters(text), text);
  }
}

TEST(Letters, KnowTheFinalSigma) {
  EXPECT_EQ(in_capitals("ωμέγας"), "ΩΜΈΓΑΣ");
  EXPECT_EQ(in_small_letters("ωμέγας"), "ωμέγας");
  EXPECT_EQ(folded("ς, ωμέγας"), "σ, ωμέγασ");
}

}  // namespace
}  // namespace surveybridge::mapping
