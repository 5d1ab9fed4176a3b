// Every knob of the stand-in on one page: meaning, unit, default. The defaults are those that
// the practice notes name where the interface document leaves a gap; the other values are the
// deployments a client must survive. Owned by the Service once it is made.
#pragma once

#include <chrono>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "sandbox/limit.hpp"
#include "sandbox/time.hpp"

namespace sandbox {

struct DataColumn {
  std::int64_t id;
  std::string name, display_name;
  bool required = false, archived = false;
};

// How bodies are written.
struct WritingStyle {
  enum class Enumerations { number, name, number_text } enumerations = Enumerations::number;
  bool null_lists = false;  // an empty list is written as null
  bool omit_nulls = false;  // a member without a value is left out
  DateStyle dates;
};

// How structured parameters are written in a query string (4.5: not shown).
struct Dialect {
  enum class Members { dot, bracket } members = Members::dot;  // Filter.From | Filter[From]
  enum class Lists { repeat, index, comma } lists = Lists::repeat;
  std::string from = "From", to = "To";
  bool to_is_exclusive = false;
  std::string data_column = "CustomerDataColumnId", data_value = "Value";
  std::string answer_question = "BaseQuestionId", answer_positions = "ScalePositionIds";
};

struct Options {
  std::string token = "sandbox-token";  // the fixed bearer; empty: no authentication at all
  std::string client_id = "sandbox", client_secret = "sandbox-secret";  // of POST /oauth2/token
  std::chrono::seconds token_lifetime{3600};
  std::vector<DataColumn> columns;      // empty: a built-in set with OrderNumber, FirstName, …
  double lives_speed = 1;               // how many times faster than life customers live; 0: still
  std::uint64_t seed = 1;               // decides who answers what
  double requests_per_second = 0;       // 0: no limit; else a token bucket, 429 above it
  int burst = 20;                       // the bucket's size
  std::string retry_after = "seconds";  // with a 429: seconds | decimals | date | none | absurd

  std::vector<LimitSpec> limits;  // more limits, of other kinds (limit.hpp)

  std::string token_header;    // a header that may carry the bare token too, e.g. X-Api-Key
  std::string user, password;  // Basic authentication; empty: none

  bool strict = true;  // unknown members and parameters are refused, not ignored
  int customers_per_add = 200;
  std::chrono::microseconds visible_after{0};  // a new customer is listed only this much later
  double second_feedback = 0;                  // share of the finished who are asked once more
  std::set<std::string> ignored;               // parameters that have no effect

  Dialect dialect;
  WritingStyle style;
};

}  // namespace sandbox
