// Every option of the stand-in: meaning, unit, default. Where the service's interface is open, the
// defaults are those of docs/SERVICE.md; the other values are deployments that a client must
// handle. Owned by the Service once it is made.
#pragma once

#include <chrono>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "sandbox/model/limit.hpp"
#include "sandbox/model/time.hpp"

namespace sandbox {

struct DataColumn {
  std::int64_t id;
  std::string name, display_name;
  bool required = false, archived = false;
};

struct XmlStyle {
  std::string namespace_uri = "http://schemas.example.com/surveys";  // of answers; empty: none
  std::string prefix;                // of its elements; empty: the default namespace
  bool alphabetical = true;          // members sorted by name; false: the order of docs/SERVICE.md
  std::string expected_namespace;    // of requests; empty: any
  bool expect_alphabetical = false;  // of requests: real readers lose members, this one refuses
};

// How bodies are written.
struct WritingStyle {
  // documented: a number in JSON, a name in XML.
  enum class Enumerations {
    documented,
    number,
    name,
    number_text
  } enumerations = Enumerations::documented;
  enum class Names { documented, camel, upper } names = Names::documented;  // of members, in JSON
  bool null_lists = false;         // an empty list is written as null
  bool omit_nulls = false;         // a member without a value is left out
  bool unset_is_year_one = false;  // a date without a value is 0001-01-01T00:00:00
  bool extra_members = false;      // members that docs/SERVICE.md does not have
  bool byte_order_mark = false;
  std::string json_type = "application/json; charset=utf-8",
              xml_type = "application/xml; charset=utf-8";
  DateStyle dates;
  XmlStyle xml;
};

// How a page says that it is the last, and other variants of paging (docs/SERVICE.md 4.2 to 4.5).
struct PagingStyle {
  // same: the last cursor again. endless: always a new cursor, followed by empty pages.
  enum class End { null, empty, absent, blank, same, endless } end = End::null;
  bool gaps = false;   // pages are shorter than requested, and some are empty, before the end
  int shifted = 0;     // number of rows of a page that come again on the next
  bool twice = false;  // each row is listed twice on its page
  // The cursor is a number of rows, so rows that leave the list move later ones to a page before.
  bool by_offset = false;
  std::chrono::microseconds cursor_lifetime{0};  // 0: for ever
  int expired_status = 400;                      // 400, 404 or 410
};

// The body of a refusal (docs/SERVICE.md 7: open).
enum class ErrorStyle { model_state, problem, string, text, html, xml, none };

// How structured parameters are written in a query string (docs/SERVICE.md 4.5: open).
struct Dialect {
  enum class Members { dot, bracket } members = Members::dot;  // Filter.From | Filter[From]
  enum class Lists { repeat, index, comma } lists = Lists::repeat;
  std::string from = "From", to = "To";
  bool to_is_exclusive = false;
  std::string data_column = "CustomerDataColumnId", data_value = "Value";
};

struct Options {
  std::string token = "sandbox-token";        // the fixed bearer; empty: no authentication at all
  std::chrono::seconds token_lifetime{3600};  // of a token of POST /oauth2/token
  std::vector<DataColumn> columns;      // empty: a built-in set with OrderNumber, FirstName, …
  double lives_speed = 1;               // 1: customers live as in reality; 0: nothing happens
  std::uint64_t seed = 1;               // decides what each customer answers
  std::string retry_after = "seconds";  // with a 429: seconds | decimals | date | none | absurd

  std::vector<LimitSpec> limits;  // 429 above them; empty: no limit
  // Each answer has the rest of the limit: X-RateLimit-* (reset: seconds since 1970),
  // X-Rate-Limit-* and RateLimit-* (reset: seconds from now).
  enum class RateHeaders {
    none,
    x_ratelimit,
    x_rate_limit,
    ratelimit
  } rate_headers = RateHeaders::none;

  std::string token_header;    // a header that may contain the token alone, e.g. X-Api-Key
  std::string user, password;  // Basic authentication; empty: none

  bool strict = true;            // unknown parameters are refused, not ignored
  std::size_t largest_body = 0;  // bytes of a request; above: 413; 0: no limit
  // The answer to an add that was stored (docs/SERVICE.md 4.1: open).
  enum class AddReply { empty, string, json, accepted } add_reply = AddReply::empty;
  // How the values of data columns are stored: as they came, in capitals, or their first ten bytes.
  enum class DataValues { kept, upper, cut } data_values = DataValues::kept;
  std::chrono::microseconds visible_after{0};  // a new customer is listed only after this time
  bool undated = false;           // neither being added nor opting out is activity of a customer
  double second_feedback = 0;     // share of the finished customers that are asked once more
  std::set<std::string> ignored;  // parameters that have no effect

  std::chrono::microseconds latency{0};  // of an answer, over a socket
  bool gzip = false, chunked = false;    // over a socket; gzip where the client accepts it

  Dialect dialect;
  WritingStyle style;
  PagingStyle paging;
  ErrorStyle errors = ErrorStyle::model_state;
};

}  // namespace sandbox
