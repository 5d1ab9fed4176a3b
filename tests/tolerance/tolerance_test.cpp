// Each variant that docs/SERVICE.md leaves open, by a trial in each format.
#include <gtest/gtest.h>

#include "tests/tolerance/line.hpp"

namespace tolerance {
namespace {

const Plain& plain() {
  static const Plain both{try_out(Format::json, {}), try_out(Format::xml, {})};
  return both;
}

void expect_tolerated(const Line& line, Format format) {
  Variant variant;
  line.change(variant, format);
  EXPECT_EQ(line.judge(try_out(format, variant), plain(), format), "") << line.what;
}

TEST(Tolerance, OfEachVariant) {
  for (const Section& section : sections()) {
    for (const Line& line : section.lines) {
      const testing::ScopedTrace trace(__FILE__, __LINE__, section.name);
      if (line.json) expect_tolerated(line, Format::json);
      if (line.xml) expect_tolerated(line, Format::xml);
    }
  }
}

// Otherwise no trial would prove anything.
TEST(Tolerance, IsMeasuredWhereEveryTableHasRows) {
  for (const Format format : {Format::json, Format::xml}) {
    EXPECT_EQ(judge_same(plain().in(format), plain(), format), "");
    for (const auto& [table, rows] : plain().in(format).tables) {
      const bool may_be_empty = table == "survey_answer_file" || table == "survey_customer_note";
      EXPECT_TRUE(may_be_empty || !rows.empty()) << table;
    }
  }
}

TEST(Tolerance, FailsWhenARowDiffers) {
  Kept other = plain().json;
  other.tables.at("survey_answer").at(0).at(3) += "x";
  EXPECT_EQ(judge_same(other, plain(), Format::json), "survey_answer differs");
  other = plain().json;
  other.held["o-1"] = 2;
  EXPECT_EQ(judge_whole(other, plain(), Format::json), "o-1 is held 2 times");
}

}  // namespace
}  // namespace tolerance
