// JSON that a person may look at on a terminal.
#include "daemon/job/json_text.hpp"

#include <gtest/gtest.h>

namespace surveybridge::daemon {
namespace {

TEST(JsonText, HasNoCommandToATerminalAndNoHiddenLetter) {
  for (const std::string mark :
       {"\x1b", "\x7f", "\u0080", "\u009b", "\u200b", "\u202e", "\u2066", "\ufeff", "\U000e0041"}) {
    const std::string text = "a" + mark + "b\u00e9";
    const std::string shown = json_text(Json(text));
    EXPECT_EQ(shown.find(mark), std::string::npos) << shown;
    EXPECT_EQ(Json::parse(shown), Json(text)) << shown;
  }
  const std::string plain = "caf\u00e9 \u20ac \u4e2d \U0001f600";
  EXPECT_EQ(json_text(Json(plain)), '"' + plain + '"');
}

}  // namespace
}  // namespace surveybridge::daemon
