#include <gtest/gtest.h>

#include "mapping/codec/formats.hpp"

namespace surveybridge::mapping {
namespace {

struct TypeCase {
  std::string_view type, body;
};

void expect_all(Media expected, std::initializer_list<TypeCase> cases) {
  for (const auto& [type, body] : cases) {
    EXPECT_EQ(media_of(body, type), expected) << type << " | " << body;
  }
}

TEST(Media, GoesByTheHeader) {
  expect_all(Media::json, {{"application/json", "{}"},
                           {"text/json; charset=utf-8", "{}"},
                           {"APPLICATION/PROBLEM+JSON", "{}"},
                           {" application/vnd.acme.v3+json ;x=1", "{}"},
                           {"application/json", "<a/>"},
                           {"application/json", "nonsense"}});
  expect_all(Media::xml, {{"application/xml", "<a/>"},
                          {"text/xml;charset=utf-8", "<a/>"},
                          {"application/problem+xml", "<a/>"},
                          {"application/xml", "{}"}});
}

TEST(Media, GoesByTheFirstByteWhereTheHeaderSaysNothing) {
  for (const auto* type : {"", "text/plain", "application/octet-stream", "json",
                           "application/jsonp", "application/x-json"}) {
    expect_all(Media::json, {{type, "{}"}, {type, "[1]"}, {type, "\"x\""}});
    expect_all(Media::xml, {{type, "<a/>"}, {type, "<?xml version=\"1.0\"?><a/>"}});
    expect_all(Media::other, {{type, "Bad gateway"}, {type, "\x1f\x8b"}, {type, "null"}});
    expect_all(Media::nothing, {{type, ""}});
  }
}

TEST(Media, KnowsHtmlUnderAnyName) {
  for (const auto* type : {"", "text/html", "application/json", "application/xml"}) {
    expect_all(Media::html, {{type, "<!DOCTYPE html><html></html>"},
                             {type, "<!doctype HTML PUBLIC \"x\">"},
                             {type, "<HTML>"},
                             {type, "<html lang=\"nl\">"},
                             {type, "<!-- gateway -->\n<html>"},
                             {type, "<?xml version=\"1.0\"?>\n<!DOCTYPE html>"}});
  }
  expect_all(Media::html, {{"text/html", "<div>"}, {"application/xhtml+xml", "<a/>"}});
  expect_all(Media::json, {{"text/html", "{}"}});
  expect_all(Media::xml, {{"", "<htmlish/>"}, {"", "<!-- never closed <html>"}});
}

TEST(Media, TakesTheByteOrderMarkAndBlanksAway) {
  EXPECT_EQ(without_mark("\xEF\xBB\xBF{}"), "{}");
  EXPECT_EQ(without_mark("\xEF\xBB\xBF\xEF\xBB\xBF{}"), "{}") << "a file within another one";
  EXPECT_EQ(without_mark("\r\n \xEF\xBB\xBF\t{} "), "{} ");
  EXPECT_EQ(without_mark("\xEF\xBB{}"), "\xEF\xBB{}");
  EXPECT_EQ(without_mark(""), "");
  EXPECT_EQ(without_mark(" \n"), "");
}

}  // namespace
}  // namespace surveybridge::mapping
