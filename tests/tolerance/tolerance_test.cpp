// Each variant that docs/SERVICE.md names as tried, by a trial in each format.
#include <cctype>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/support/generated_section.hpp"
#include "tests/tolerance/line.hpp"

namespace tolerance {
namespace {

constexpr std::size_t kWidth = 130;

const Plain& plain() {
  static const Plain both{try_out(Format::json, {}), try_out(Format::xml, {})};
  return both;
}

void expect_tolerated(const Line& line, Format format) {
  Variant variant;
  line.change(variant, format);
  EXPECT_EQ(line.judge(try_out(format, variant), plain(), format), "") << line.what;
}

std::string words_of(const Line& line) {
  return line.what + (line.json && line.xml ? "" : line.json ? " (JSON)" : " (XML)");
}

// A sentence for each line; lines with the same words before ": " are in one sentence.
std::string sentences_of(const Lines& lines) {
  std::string text, last;
  for (const Line& line : lines) {
    std::string words = words_of(line);
    const std::string head = words.substr(0, words.find(": "));
    if (head == last) {
      text += "," + words.substr(head.size() + 1);
      continue;
    }
    words[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(words[0])));
    text += (text.empty() ? "" : ". ") + words;
    last = head;
  }
  return text + ".";
}

// In lines of at most kWidth bytes.
std::string wrapped(const std::string& text) {
  std::istringstream words(text);
  std::string lines, line;
  for (std::string word; words >> word;) {
    if (line.size() + word.size() >= kWidth) {
      lines += line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return lines + line + "\n";
}

TEST(Tolerance, OfEachVariantIsAsThePageSays) {
  std::string made;
  for (const Section& section : sections()) {
    made += made.empty() ? "" : "\n";
    made += wrapped("**" + section.name + ".** " + sentences_of(section.lines));
    for (const Line& line : section.lines) {
      if (line.json) expect_tolerated(line, Format::json);
      if (line.xml) expect_tolerated(line, Format::xml);
    }
  }
  support::expect_section("docs/SERVICE.md", "variants", made);
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
