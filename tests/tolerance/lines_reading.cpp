// Reading answers (docs/SERVICE.md 2).
#include <algorithm>

#include "tests/tolerance/line.hpp"

namespace tolerance {

namespace service = surveybridge::service;

namespace {

using Enumerations = sandbox::WritingStyle::Enumerations;
using Names = sandbox::WritingStyle::Names;
using Zone = sandbox::DateStyle::Zone;
using Change = void (*)(sandbox::Options&);
using Judge = std::function<std::string(const Kept&, const Plain&, Format)>;

Line option(const std::string& what, Change change, Judge judge = judge_same) {
  return {what, [=](Variant& variant, Format) { change(variant.options); }, std::move(judge)};
}

Line xml_only(Line line) {
  line.json = false;
  return line;
}

// Is there a value in this column of any row?
bool holds(const Kept& kept, const std::string& table, const std::string& value) {
  for (const auto& row : kept.tables.at(table))
    if (std::ranges::find(row, value) != row.end()) return true;
  return false;
}

// Every boolean of a body in another form: a number, or in JSON a text.
Line booleans(const std::string& what, const char* yes, const char* no) {
  return {what,
          [=](Variant& variant, Format format) {
            variant.on_exchange = answers_changed([=](service::Response& response) {
              const bool json = format == Format::json;
              const std::string begin = json ? ":" : ">", end = json ? "" : "<";
              const std::string quote = json && *yes != '1' ? "\"" : "";
              for (const auto& [word, written] : {std::pair{"true", yes}, std::pair{"false", no}})
                response.body = replaced(response.body, begin + word + end,
                                         begin + quote + written + quote + end);
            });
          },
          judge_same};
}

Lines member_lines() {
  return {json_only(option("names in camelCase",
                           [](sandbox::Options& o) { o.style.names = Names::camel; })),
          json_only(option("names in capitals",
                           [](sandbox::Options& o) { o.style.names = Names::upper; })),
          option("unknown members", [](sandbox::Options& o) { o.style.extra_members = true; }),
          option("absent instead of null", [](sandbox::Options& o) { o.style.omit_nulls = true; }),
          {"null lists",
           [](Variant& variant, Format) {
             variant.options.style.null_lists = true;
             variant.released = true;
           },
           judge_same},
          booleans("booleans as 1 and 0", "1", "0"),
          booleans("booleans as `Yes` and `No`", "Yes", "No"),
          booleans("booleans as `TRUE` and `FALSE` in quotes", "TRUE", "FALSE")};
}

Line digits_line(int digits) {
  return {"digits of a date's fraction: " + std::to_string(digits),
          [=](Variant& variant, Format) { variant.options.style.dates.digits = digits; },
          digits < 6 ? Judge(judge_whole) : Judge(judge_same)};
}

// The orders' TransactionDate is noon in UTC; as a date only it is midnight in UTC.
Line date_only() {
  return {"dates without a time",
          [](Variant& variant, Format) {
            variant.on_exchange = answers_changed([](service::Response& response) {
              response.body = replaced(response.body, "2026-11-09T12:00:00Z", "2026-11-09");
            });
          },
          [](const Kept& kept, const Plain& plain, Format format) -> std::string {
            if (!holds(kept, "survey_customer", "2026-11-09 00:00:00.000000Z") &&
                !holds(kept, "survey_customer", "2026-11-09T00:00:00.000000Z"))
              return "no midnight is stored";
            return judge_whole(kept, plain, format);
          }};
}

Lines date_lines() {
  Lines lines;
  for (int digits = 0; digits <= 9; ++digits)
    lines.push_back(digits_line(digits));
  lines.push_back(option("dates with an offset", [](sandbox::Options& o) {
    o.style.dates.zone = Zone::offset;
    o.style.dates.offset = std::chrono::minutes(-210);
  }));
  lines.push_back({"dates without an offset, in the service's zone",
                   [](Variant& variant, Format) {
                     variant.options.style.dates.zone = Zone::none;
                     variant.options.style.dates.offset = std::chrono::minutes(120);
                     variant.service = "time_zone = \"Etc/GMT-2\"\n";
                   },
                   judge_same});
  lines.push_back(date_only());
  lines.push_back(option("`0001-01-01T00:00:00` for unset",
                         [](sandbox::Options& o) { o.style.unset_is_year_one = true; }));
  return lines;
}

Line unknown_enumeration() {
  return {"an unknown value of an enumeration is kept",
          [](Variant& variant, Format) {
            variant.options.style.enumerations = Enumerations::name;
            variant.on_exchange = answers_changed([](service::Response& response) {
              response.body = replaced(response.body, "Neutral", "Bewildered");
              response.body = replaced(response.body, "Positive", "Bewildered");
              response.body = replaced(response.body, "Negative", "Bewildered");
            });
          },
          [](const Kept& kept, const Plain& plain, Format format) -> std::string {
            if (!holds(kept, "survey_answer_category", "Bewildered")) return "it is lost";
            return judge_whole(kept, plain, format);
          }};
}

Lines enumeration_lines() {
  return {
      option("enumerations as numbers",
             [](sandbox::Options& o) { o.style.enumerations = Enumerations::number; }),
      option("as numbers in strings",
             [](sandbox::Options& o) { o.style.enumerations = Enumerations::number_text; }),
      option("as names", [](sandbox::Options& o) { o.style.enumerations = Enumerations::name; }),
      unknown_enumeration()};
}

Line media_line(const std::string& json, const std::string& xml) {
  const std::string what = json.empty() ? "no content type: the first byte decides"
                                        : "content type `" + json + "`, `" + xml + "`";
  return {what,
          [=](Variant& variant, Format) {
            if (json.empty()) {
              variant.on_exchange =
                  answers_changed([](service::Response& response) { response.headers.clear(); });
            }
            variant.options.style.json_type = json;
            variant.options.style.xml_type = xml;
          },
          judge_same};
}

Line over_a_socket(const std::string& what, bool sandbox::Options::*option) {
  return {what,
          [=](Variant& variant, Format) {
            variant.options.*option = true;
            variant.socket = true;
          },
          judge_same};
}

Lines body_lines() {
  return {media_line("text/json", "text/xml"),
          media_line("application/vnd.survey+json; charset=utf-8", "application/vnd.survey+xml"),
          media_line("", ""),
          option("a byte order mark", [](sandbox::Options& o) { o.style.byte_order_mark = true; }),
          over_a_socket("compressed bodies", &sandbox::Options::gzip),
          over_a_socket("bodies in chunks", &sandbox::Options::chunked),
          {"HTML with 200 is an error, not an empty page",
           [](Variant& variant, Format) {
             variant.between = [](sandbox::Service& service) {
               service.inject(*sandbox::read_fault("before:html:v3/rating:1"));
             };
           },
           judge_said("got an HTML page")}};
}

Line dtd_line() {
  return {"a DTD is refused",
          [](Variant& variant, Format) {
            variant.on_exchange = answers_changed([](service::Response& response) {
              response.body = "<!DOCTYPE x [<!ENTITY e SYSTEM \"file:///etc/passwd\">]>" +
                              replaced(response.body, "<?xml version=\"1.0\"?>", "");
            });
          },
          [](const Kept& kept, const Plain&, Format) -> std::string {
            if (!kept.tables.at("survey_customer").empty()) return "it was read";
            return kept.said("a document type") ? "" : "nothing was said";
          }};
}

Lines xml_lines() {
  return {xml_only(option("XML without a namespace",
                          [](sandbox::Options& o) { o.style.xml.namespace_uri.clear(); })),
          xml_only(option("with a prefix", [](sandbox::Options& o) { o.style.xml.prefix = "s"; })),
          xml_only(option("members in another order",
                          [](sandbox::Options& o) { o.style.xml.alphabetical = false; })),
          xml_only({"requests in a namespace, in alphabetical order",
                    [](Variant& variant, Format) {
                      variant.options.style.xml.expected_namespace = "urn:surveys";
                      variant.options.style.xml.expect_alphabetical = true;
                      variant.dialect = "xml_namespace = \"urn:surveys\"\n";
                    },
                    judge_same}),
          xml_only(dtd_line())};
}

}  // namespace

Lines reading_lines() {
  Lines all;
  for (const auto& part :
       {member_lines(), date_lines(), enumeration_lines(), body_lines(), xml_lines()})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace tolerance
