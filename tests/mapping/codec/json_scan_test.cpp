// The reader of JSON takes what nlohmann's parser takes, and nothing else.
#include "mapping/codec/json_scan.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace surveybridge::mapping {
namespace {

using Kind = Token::Kind;

// Writes the events down; ends the reading after `most` of them.
struct Listening {
  std::string events;
  int most = 1000;
  const char* reached = nullptr;

  bool note(std::string_view event) {
    events += std::string(event) + " ";
    return --most > 0;
  }
  bool scalar(Token token) {
    const char* kinds = token.kind == Kind::text     ? "t"
                        : token.kind == Kind::number ? "n"
                        : token.kind == Kind::null   ? "0"
                                                     : "b";
    return note(kinds + std::string(token.text));
  }
  bool member(std::string_view name) { return note("." + std::string(name)); }
  bool begin_object() { return note("{"); }
  bool begin_list() { return note("["); }
  bool end() { return note("/"); }
};

std::string scanned(std::string_view body) {
  Listening listening;
  JsonScan<Listening> scan(body, listening);
  return scan.run() ? listening.events : scan.fault();
}

TEST(JsonScan, TellsWhatIsInABody) {
  EXPECT_EQ(scanned(R"( { "a" : [ 1 , -20.50 , "x" ] , "b":{} , "c":null,"d":true,"e":false } )"),
            "{ .a [ n1 n-20.50 tx / .b { / .c 0 .d btrue .e bfalse / ");
  EXPECT_EQ(scanned("[[],[[]],{}]"), "[ [ / [ [ / / { / / ");
  EXPECT_EQ(scanned("\t\"alone\"\r\n"), "talone ");
  EXPECT_EQ(scanned("0"), "n0 ");
  EXPECT_EQ(scanned("-0"), "n-0 ");
  EXPECT_EQ(scanned("[1e5,1E+5,1234567890123456789]"), "[ n1e5 n1E+5 n1234567890123456789 / ");
  EXPECT_EQ(scanned(R"(["","a\"\\\/\b\f\n\r\tz","\u00e9\u20AC\ud83D\uDE00","é€😀"])"),
            "[ t ta\"\\/\b\f\n\r\tz té€😀 té€😀 / ");
}

TEST(JsonScan, RefusesWhatIsNotWellFormed) {
  for (const std::string_view body : {"",
                                      " ",
                                      "{",
                                      "[",
                                      "[1",
                                      "[1,",
                                      "[1,]",
                                      "[,1]",
                                      "[1 2]",
                                      "{\"a\"}",
                                      "{\"a\":}",
                                      "{\"a\":1,}",
                                      "{a:1}",
                                      "{1:1}",
                                      "[1]]",
                                      "[1}",
                                      "{\"a\":1]",
                                      "nul",
                                      "nullx",
                                      "True",
                                      "01",
                                      "-",
                                      "-01",
                                      "1.",
                                      ".5",
                                      "+1",
                                      "\"",
                                      "\"a",
                                      "\"\n\"",
                                      "\"\\\"",
                                      "\"\\x\"",
                                      "\"\\u12\"",
                                      "\"\\u12G4\"",
                                      "\"\\ud800\"",
                                      "\"\\ud800\\u0041\"",
                                      "\"\\udc00\"",
                                      "\"\x80\"",
                                      "\"\xC0\xAF\"",
                                      "\"\xC3\"",
                                      "\"\xE0\x80\x80\"",
                                      "\"\xED\xA0\x80\"",
                                      "\"\xF0\x80\x80\x80\"",
                                      "\"\xF4\x90\x80\x80\"",
                                      "\"\xF5\x80\x80\x80\"",
                                      "\"\xE2\x82\"",
                                      "\xEF\xBB\xBF[]",
                                      "[1]//"}) {
    Listening listening;
    JsonScan<Listening> scan(body, listening);
    EXPECT_FALSE(scan.run()) << body;
    EXPECT_NE(scan.fault(), "") << body;
  }
  EXPECT_EQ(scanned(std::string_view("[\"\0\"]", 5)), "not JSON at byte 3");
  EXPECT_EQ(scanned(std::string_view("[]\0", 3)), "not JSON at byte 3");
  EXPECT_EQ(scanned("[1e999]"), "number too large at byte 6");
}

TEST(JsonScan, EndsWhereTheListenerDoes) {
  for (int most = 1; most <= 8; ++most) {
    Listening listening{"", most};
    JsonScan<Listening> scan(R"({"a":[1,"x"],"b":null})", listening);
    EXPECT_FALSE(scan.run()) << most;
    EXPECT_EQ(scan.fault(), "") << most;
    EXPECT_EQ(listening.most, 0);
  }
}

// Every byte of a body in turn becomes each of some others, and goes.
TEST(JsonScan, ReadsWhatTheParserReadsAndNothingElse) {
  const std::string body =
      R"({"a":[{"b":"x\u00e9\"y","c":-1.50,"d":null},{"e":"😀é","f":true}],"g":"\ud83d\ude00","h":[]})";
  int read = 0;
  for (std::size_t at = 0; at < body.size(); ++at) {
    for (const std::string_view other :
         {"",  "\"", "\\", "{", "}",  "[",    "]",    ",",    ":",    "0",    "9",    "-",   ".",
          "e", "u",  "d",  " ", "\n", "\x01", "\x7F", "\x80", "\xC3", "\xED", "\xF4", "null"}) {
      std::string changed = body;
      changed.replace(at, 1, other);
      Listening listening{"", 1000};
      JsonScan<Listening> scan(changed, listening);
      const bool is_read = scan.run();
      EXPECT_EQ(is_read, nlohmann::json::accept(changed)) << changed;
      if (is_read) ++read;
    }
  }
  EXPECT_GT(read, 250);
}

}  // namespace
}  // namespace surveybridge::mapping
