// The table of docs/TOLERANCE.md, each cell from a trial. The page says how to write it again.
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/paths.hpp"
#include "tests/tolerance/line.hpp"

namespace tolerance {
namespace {

const std::string kPage = support::source_dir() + "/docs/TOLERANCE.md";

constexpr const char* kOpening =
    "# Tolerance\n\n"
    "What the service's interface leaves open, deployments fill in their own ways. Each line here "
    "is\n"
    "one way, and each cell a trial: orders go out to a service of that kind, its customers live,\n"
    "everything comes back, in JSON and in XML. *yes*: every order is at the service once, and "
    "every\n"
    "table is as it should be. *no matter*: the line says nothing about that format.\n\n"
    "Made by `tests/tolerance`; do not edit it. After a change,\n"
    "`BRIDGE_UPDATE_GOLDEN=1 build/dev/bin/tolerance_tests` writes it anew.\n";

const Plain& plain() {
  static const Plain both{try_out(Format::json, {}), try_out(Format::xml, {})};
  return both;
}

std::string cell(const Line& line, Format format) {
  if (!(format == Format::json ? line.json : line.xml)) return "no matter";
  Variant variant;
  line.change(variant, format);
  const std::string amiss = line.judge(try_out(format, variant), plain(), format);
  return amiss.empty() ? "yes" : "no: " + amiss;
}

std::string page() {
  std::string text = kOpening;
  for (const Section& section : sections()) {
    text += fmt::format("\n## {}\n\n| | JSON | XML |\n|---|---|---|\n", section.name);
    for (const Line& line : section.lines)
      text += fmt::format("| {} | {} | {} |\n", line.what, cell(line, Format::json),
                          cell(line, Format::xml));
  }
  return text;
}

TEST(Tolerance, OfEachLineIsAsThePageSays) {
  const std::string made = page();
  if (std::getenv("BRIDGE_UPDATE_GOLDEN") != nullptr) std::ofstream(kPage) << made;
  std::ostringstream there;
  there << std::ifstream(kPage).rdbuf();
  EXPECT_EQ(there.str(), made);
  EXPECT_EQ(made.find("| no: "), std::string::npos);
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
