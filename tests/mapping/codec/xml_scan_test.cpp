#include "mapping/codec/xml_scan.hpp"

#include <gtest/gtest.h>

namespace surveybridge::mapping {
namespace {

std::string fault(std::string_view body, const Limits& limits = {}) {
  return fault_in_markup(body, limits).value_or("");
}

TEST(XmlScan, LetsWellFormedMarkupThrough) {
  for (const auto* body :
       {"<a/>", "<a></a>", "<a ></a >", "<a b='>' c=\"/>\"/>", "<a b='/'></a>", "<a><b/><b/></a>",
        "<?xml version=\"1.0\"?>\n<!-- <b> & -->\n<a/>\n<!-- end -->\n",
        "<a><![CDATA[<!DOCTYPE x> & <b>]]></a>", "<a>&amp;&lt;&gt;&quot;&apos;</a>",
        "<a>&#65;&#x41;&#x10FFFF;&#1;</a>", "<a b='&amp;&#65;'/>", "<a>é€😀</a>"}) {
    EXPECT_EQ(fault(body), "") << body;
  }
}

TEST(XmlScan, RefusesDeclarationsAndEntities) {
  EXPECT_EQ(fault("<!DOCTYPE a [<!ENTITY x \"y\">]><a>&x;</a>"),
            "a document type, which is not read, at byte 1");
  EXPECT_EQ(fault("<!DOCTYPE a SYSTEM \"file:///etc/passwd\"><a/>"),
            "a document type, which is not read, at byte 1");
  EXPECT_EQ(fault("<a><!ELEMENT x></a>"), "a document type, which is not read, at byte 4");
  for (const auto* body :
       {"<a>&x;</a>", "<a>&</a>", "<a>&;</a>", "<a>& b</a>", "<a>&AMP;</a>", "<a>&amp</a>",
        "<a>&#;</a>", "<a>&#x;</a>", "<a>&#xZ;</a>", "<a>&#-1;</a>", "<a>&#0;</a>", "<a>&#x0;</a>",
        "<a>&#xD800;</a>", "<a>&#xDFFF;</a>", "<a>&#x110000;</a>", "<a>&#99999999999;</a>"}) {
    EXPECT_EQ(fault(body), "an entity that is not read at byte 4") << body;
  }
  EXPECT_EQ(fault("<a b='x&y;'/>"), "an entity that is not read at byte 8");
}

TEST(XmlScan, RefusesWhatIsNotText) {
  EXPECT_EQ(fault("<a>\xC3(</a>"), "not UTF-8");
  EXPECT_EQ(fault("<a>\xED\xA0\x80</a>"), "not UTF-8");
  EXPECT_EQ(fault("\xFF\xFE<\0a\0"), "not UTF-8");
  EXPECT_EQ(fault(std::string_view("<a>\0</a>", 8)), "a NUL, which XML cannot hold");
}

TEST(XmlScan, RefusesMoreOrLessThanOneRoot) {
  EXPECT_EQ(fault("<a/><b/>"), "a second root element at byte 5");
  EXPECT_EQ(fault("<a/>text"), "text outside the root element at byte 5");
  EXPECT_EQ(fault("text<a/>"), "text outside the root element at byte 1");
  EXPECT_EQ(fault("<a/></a>"), "an end without a beginning at byte 5");
  EXPECT_EQ(fault("<![CDATA[x]]><a/>"), "a document type, which is not read, at byte 1");
  EXPECT_EQ(fault(""), "cut off after 0 bytes");
  EXPECT_EQ(fault(" "), "cut off after 1 bytes");
  EXPECT_EQ(fault("<!-- x -->"), "cut off after 10 bytes");
}

TEST(XmlScan, SeesWhereABodyIsCutOff) {
  for (const auto* body : {"<", "<a", "<a b", "<a b='", "<a b='x'", "<a>", "<a>x", "<a><b/>",
                           "<a></", "<a></a", "<a><!-- ", "<a><![CDATA[ ]]", "<?xml "}) {
    EXPECT_EQ(fault(body),
              "cut off after " + std::to_string(std::string_view(body).size()) + " bytes")
        << body;
  }
}

TEST(XmlScan, CountsDepthAndPieces) {
  Limits limits;
  limits.depth = 2;
  EXPECT_EQ(fault("<a><b/><b></b></a>", limits), "");
  EXPECT_EQ(fault("<a><b><c/></b></a>", limits), "nested more than 2 deep at byte 7");
  limits.items = limits.values = 0;
  std::string many = "<a>";
  for (int i = 0; i < 999; ++i)
    many += "<b/>";
  EXPECT_EQ(fault(many + "</a>", limits), "");
  EXPECT_NE(fault(many + "<b/></a>", limits), "");
  EXPECT_NE(fault(many + "<!-- --><b c='1'/></a>", limits), "");
  std::string deep;
  for (int i = 0; i < 10'000; ++i)
    deep += "<a>";
  EXPECT_EQ(fault(deep), "nested more than 64 deep at byte 193");
}

TEST(XmlNames, AreLocal) {
  EXPECT_EQ(local_name("Email"), "Email");
  EXPECT_EQ(local_name("b:Email"), "Email");
  EXPECT_EQ(local_name("a:b:Email"), "Email");
  EXPECT_EQ(local_name(":"), "");
  EXPECT_EQ(local_name(""), "");
}

TEST(XmlNames, AreDecoded) {
  EXPECT_EQ(decoded_name("a_x005B_3_x005D_.b"), "a[3].b");
  EXPECT_EQ(decoded_name("_x005b_"), "[");
  for (const auto* name : {"", "_x", "_x005B", "_x005G_", "_x0000_", "_xFFFF_", "_x-05B_", "x_y"}) {
    EXPECT_EQ(decoded_name(name), name);
  }
}

}  // namespace
}  // namespace surveybridge::mapping
