// Parameters of the list operations (docs/SERVICE.md 4.2 to 4.4) as a query string, in the form
// that the deployment uses (docs/SERVICE.md 4.5). Pure. Everything is percent-encoded.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "config/settings.hpp"
#include "mapping/values/value.hpp"

namespace surveybridge::service {

struct DateFilter {  // whether an end is included is open (docs/SERVICE.md 2.7)
  std::optional<mapping::Instant> from, to;
};
struct DataFilter {
  std::int64_t column_id = 0;
  std::string value;
};
// integers, e-mail addresses …: a collection of scalars
using Scalars = std::vector<std::string>;
struct AnswerFilter {
  std::vector<std::pair<std::string, Scalars>> members;  // under the names that the user wrote
};
using Argument = std::variant<DateFilter, std::vector<DataFilter>, std::vector<AnswerFilter>,
                              Scalars, std::string>;

struct Parameter {
  std::string name;  // as docs/SERVICE.md writes it: "LastActivityDateFilter"
  Argument argument;
};

// "a=b&c=d", without '?'. Parameters in the order given; empty lists and texts are left out.
std::string write_query(const std::vector<Parameter>& parameters,
                        const config::ServiceDialect& dialect, const std::string& time_zone);

// Percent-encodes everything except A-Z a-z 0-9 and what is kept, by default as RFC 3986 has it.
std::string percent_encode(std::string_view text, std::string_view kept = "-._~");

// Divides a list so that each query string is at most dialect.query_bytes long, with `fixed` bytes
// of other parameters. At least one value in each part.
std::vector<Scalars> chunks(const std::string& name, const Scalars& values, std::size_t fixed,
                            const config::ServiceDialect& dialect);

}  // namespace surveybridge::service
