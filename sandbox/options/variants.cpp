#include "sandbox/options/variants.hpp"

#include <map>

namespace sandbox {
namespace {

using End = PagingStyle::End;
using Enumerations = WritingStyle::Enumerations;
using Names = WritingStyle::Names;
using Zone = DateStyle::Zone;
using RateHeaders = Options::RateHeaders;
using AddReply = Options::AddReply;
using DataValues = Options::DataValues;

const std::vector<Variant> kVariants = {
    {"--page-end",
     "NextCursor of a last page",
     {{"null", [](Options& o) { o.paging.end = End::null; }},
      {"empty", [](Options& o) { o.paging.end = End::empty; }},
      {"absent", [](Options& o) { o.paging.end = End::absent; }},
      {"blank", [](Options& o) { o.paging.end = End::blank; }},
      {"same", [](Options& o) { o.paging.end = End::same; }},
      {"endless", [](Options& o) { o.paging.end = End::endless; }}}},
    {"--errors",
     "Body of a refusal",
     {{"modelstate", [](Options& o) { o.errors = ErrorStyle::model_state; }},
      {"problem", [](Options& o) { o.errors = ErrorStyle::problem; }},
      {"string", [](Options& o) { o.errors = ErrorStyle::string; }},
      {"text", [](Options& o) { o.errors = ErrorStyle::text; }},
      {"html", [](Options& o) { o.errors = ErrorStyle::html; }},
      {"xml", [](Options& o) { o.errors = ErrorStyle::xml; }},
      {"none", [](Options& o) { o.errors = ErrorStyle::none; }}}},
    {"--throttle",
     "Retry-After of a 429",
     {{"seconds", [](Options& o) { o.retry_after = "seconds"; }},
      {"decimals", [](Options& o) { o.retry_after = "decimals"; }},
      {"date", [](Options& o) { o.retry_after = "date"; }},
      {"none", [](Options& o) { o.retry_after = "none"; }},
      {"absurd", [](Options& o) { o.retry_after = "absurd"; }}}},
    {"--rate-headers",
     "Headers that tell what a limit leaves",
     {{"none", [](Options& o) { o.rate_headers = RateHeaders::none; }},
      {"x-ratelimit", [](Options& o) { o.rate_headers = RateHeaders::x_ratelimit; }},
      {"x-rate-limit", [](Options& o) { o.rate_headers = RateHeaders::x_rate_limit; }},
      {"ratelimit", [](Options& o) { o.rate_headers = RateHeaders::ratelimit; }}}},
    {"--enumerations",
     "documented: numbers in JSON, names in XML",
     {{"documented", [](Options& o) { o.style.enumerations = Enumerations::documented; }},
      {"number", [](Options& o) { o.style.enumerations = Enumerations::number; }},
      {"name", [](Options& o) { o.style.enumerations = Enumerations::name; }},
      {"number-text", [](Options& o) { o.style.enumerations = Enumerations::number_text; }}}},
    {"--names",
     "Spelling of members in JSON",
     {{"documented", [](Options& o) { o.style.names = Names::documented; }},
      {"camel", [](Options& o) { o.style.names = Names::camel; }},
      {"upper", [](Options& o) { o.style.names = Names::upper; }}}},
    {"--date-zone",
     "How dates end",
     {{"z", [](Options& o) { o.style.dates.zone = Zone::z; }},
      {"offset", [](Options& o) { o.style.dates.zone = Zone::offset; }},
      {"none", [](Options& o) { o.style.dates.zone = Zone::none; }}}},
    {"--data-values",
     "What of the values of data columns is stored; cut: ten bytes",
     {{"kept", [](Options& o) { o.data_values = DataValues::kept; }},
      {"upper", [](Options& o) { o.data_values = DataValues::upper; }},
      {"cut", [](Options& o) { o.data_values = DataValues::cut; }}}},
    {"--add-reply",
     "Answer to an add that was taken",
     {{"empty", [](Options& o) { o.add_reply = AddReply::empty; }},
      {"string", [](Options& o) { o.add_reply = AddReply::string; }},
      {"json", [](Options& o) { o.add_reply = AddReply::json; }},
      {"accepted", [](Options& o) { o.add_reply = AddReply::accepted; }}}},
};

const std::vector<Switch> kSwitches = {
    {"--null-lists", "Empty lists are null", [](Options& o) { o.style.null_lists = true; }},
    {"--omit-nulls", "Members without a value are left out",
     [](Options& o) { o.style.omit_nulls = true; }},
    {"--year-one", "Dates without a value are 0001-01-01T00:00:00",
     [](Options& o) { o.style.unset_is_year_one = true; }},
    {"--extra-members", "Answers have members that the document does not know",
     [](Options& o) { o.style.extra_members = true; }},
    {"--bom", "Bodies begin with a byte order mark",
     [](Options& o) { o.style.byte_order_mark = true; }},
    {"--gzip", "Bodies are compressed where the client accepts it",
     [](Options& o) { o.gzip = true; }},
    {"--chunked", "Bodies come in chunks", [](Options& o) { o.chunked = true; }},
    {"--gaps", "Pages are cut short, some are empty, though more follow",
     [](Options& o) { o.paging.gaps = true; }},
    {"--twice", "Each row is listed twice on its page", [](Options& o) { o.paging.twice = true; }},
    {"--by-offset", "Pages are counted: rows that leave the list move later ones to a page before",
     [](Options& o) { o.paging.by_offset = true; }},
    {"--to-exclusive", "A filter's To is not part of its range",
     [](Options& o) { o.dialect.to_is_exclusive = true; }},
    {"--partial-refusal", "An add refused with 400 stores what was right in it",
     [](Options& o) { o.partial_refusal = true; }},
    {"--undated", "Neither a new customer nor an opt-out has a date of activity",
     [](Options& o) { o.undated = true; }},
    {"--no-echo", "The lists do not show Data", [](Options& o) { o.echo_data = false; }},
    {"--xml-document-order", "Members in the document's order, not the alphabet's",
     [](Options& o) { o.style.xml.alphabetical = false; }},
    {"--xml-expect-order", "Requests whose members are not in the alphabet's order are refused",
     [](Options& o) { o.style.xml.expect_alphabetical = true; }},
};

bool set_members(Dialect& dialect, std::string_view value) {
  dialect.members = value == "bracket" ? Dialect::Members::bracket : Dialect::Members::dot;
  return value == "bracket" || value == "dot";
}

bool set_lists(Dialect& dialect, std::string_view value) {
  dialect.lists = value == "index"   ? Dialect::Lists::index
                  : value == "comma" ? Dialect::Lists::comma
                                     : Dialect::Lists::repeat;
  return value == "index" || value == "comma" || value == "repeat";
}

}  // namespace

std::span<const Variant> variants() {
  return kVariants;
}
std::span<const Switch> switches() {
  return kSwitches;
}

bool set_dialect(Options& options, std::string_view text) {
  static const std::map<std::string_view, std::string Dialect::*> kNames = {
      {"from", &Dialect::from},
      {"to", &Dialect::to},
      {"data-column", &Dialect::data_column},
      {"data-value", &Dialect::data_value},
      {"answer-question", &Dialect::answer_question},
      {"answer-positions", &Dialect::answer_positions}};
  const auto equals = text.find('=');
  if (equals == text.npos || equals + 1 == text.size()) return false;
  const std::string_view key = text.substr(0, equals), value = text.substr(equals + 1);
  if (key == "members") return set_members(options.dialect, value);
  if (key == "lists") return set_lists(options.dialect, value);
  const auto name = kNames.find(key);
  if (name == kNames.end()) return false;
  options.dialect.*name->second = value;
  return true;
}

}  // namespace sandbox
