#include "mapping/values/base64.hpp"

#include <gtest/gtest.h>

namespace surveybridge::mapping {
namespace {

using namespace std::string_literals;

TEST(Base64, WritesTheExamplesOfItsStandard) {
  const char* const pairs[][2] = {{"", ""},
                                  {"f", "Zg=="},
                                  {"fo", "Zm8="},
                                  {"foo", "Zm9v"},
                                  {"foob", "Zm9vYg=="},
                                  {"fooba", "Zm9vYmE="},
                                  {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : pairs) {
    EXPECT_EQ(write_base64(bytes), text);
    EXPECT_EQ(read_base64(text), bytes);
  }
}

TEST(Base64, KeepsEveryByte) {
  std::string bytes;
  for (int byte = 0; byte < 256; ++byte)
    bytes += static_cast<char>(byte);
  EXPECT_EQ(read_base64(write_base64(bytes)), bytes);
}

TEST(Base64, ReadsOverLineEnds) {
  EXPECT_EQ(read_base64("Zm9v\r\nYmFy\n"), "foobar");
}

TEST(Base64, RefusesWhatIsNotBase64) {
  for (const auto& text : {"Z"s, "Zg"s, "Zg="s, "Zg==="s, "Zh=="s, "Z==="s, "===="s, "Zm9v!m9v"s,
                           "Zg==Zg=="s, "Zm-_"s, "Zm9\0"s}) {
    EXPECT_FALSE(read_base64(text)) << text;
  }
}

}  // namespace
}  // namespace surveybridge::mapping
