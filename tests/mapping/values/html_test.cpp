#include "mapping/values/html.hpp"

#include <gtest/gtest.h>

namespace surveybridge::mapping {
namespace {

std::string repeated(const std::string& piece, int count) {
  std::string text;
  for (int i = 0; i < count; ++i)
    text += piece;
  return text;
}

TEST(TextOfHtml, IsWhatABrowserShowsOnOneLine) {
  EXPECT_EQ(
      text_of_html("<p>Dear <b>An</b>n,</p>\r\n<p class=\"a>b\">it's&nbsp;&nbsp;here<br/>now</p> "),
      "Dear Ann, it's here now");
  EXPECT_EQ(text_of_html("<!DOCTYPE html><HTML><Style>p { color: red }</STYLE><body>one"
                         "<!-- two <p> --><script>three</script> four</body>"),
            "one four");
  EXPECT_EQ(text_of_html("<table><tr><td>a</td><td>b</td></tr></table>"), "a b");
  EXPECT_EQ(text_of_html("plain"), "plain");
  EXPECT_EQ(text_of_html("<div> &nbsp; </div>"), "");
}

TEST(TextOfHtml, DecodesEachEntityOnce) {
  EXPECT_EQ(text_of_html("Caf&eacute; &amp; Ren&#233;e &#x20AC;5 &quot;&yuml;&Yuml;&quot;"),
            "Caf\u00E9 & Ren\u00E9e \u20AC5 \"\u00FF\u0178\"");
  EXPECT_EQ(text_of_html("&amp;lt;b&amp;gt; &lt;b&gt;"), "&lt;b&gt; <b>");
  EXPECT_EQ(text_of_html("it&#146;s"), "it\u2019s") << "a number of Windows";
}

TEST(TextOfHtml, LeavesWhatOnlyLooksLikeIt) {
  for (const char* text : {"2 < 3 > 1", "a <3 b", "A&B; &foo; & &amp",
                           "&#xD800; &#0; &#1114112; "
                           "&#129; &#x; &#;",
                           "<", "</", "<b", "&"})
    EXPECT_EQ(text_of_html(text), text);
}

TEST(TextOfHtml, EndsWhereTheTextEnds) {
  EXPECT_EQ(text_of_html("a <!-- b"), "a");
  EXPECT_EQ(text_of_html("a <script> b"), "a");
  EXPECT_EQ(text_of_html("a <i title=\"b> c"), "a c") << "the quote has no end";
  EXPECT_EQ(text_of_html("\xFF<b>\xC2"), "\xFF\xC2") << "whether it is UTF-8 is checked elsewhere";
}

// Twice the text took four times as long where each tag was searched to the end of the text.
// Where each of a million openings searched the rest of the text, hours would pass: the limit of
// each test ends that.
TEST(TextOfHtml, TakesTimeInProportionToTheText) {
  for (const char* piece : {"<a", "<a \"", "<!--", "<script", "&amp", "<a '>", "<style>"}) {
    const std::string text = repeated(piece, 1'000'000);
    EXPECT_LE(text_of_html(text).size(), text.size()) << piece;
  }
}

}  // namespace
}  // namespace surveybridge::mapping
