// The filters of the three lists (docs/SERVICE.md 4.2 to 4.4): read from the query, applied to a
// customer. Pure. A customer must pass all of them; a filter without values restricts nothing.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sandbox/body/fields.hpp"
#include "sandbox/model/answers.hpp"
#include "sandbox/model/http.hpp"
#include "sandbox/model/model.hpp"
#include "sandbox/model/options.hpp"

namespace sandbox {

// The range of a DateFilter. From is included; the dialect decides about To.
struct Range {
  Instant from, to;
  bool to_is_exclusive = false;

  bool asked() const { return from || to; }
  bool holds(const Instant& date) const;
};

// One object of a list of objects: each member's values in order.
using FilterObject = std::map<std::string, std::vector<std::string>>;

// Reads the parameters of a query with their types, in the form of the dialect (docs/SERVICE.md
// 4.5). A value that does not fit is a finding; so is an unknown parameter in strict mode,
// otherwise it is ignored. Refers to objects of the caller.
class Parameters {
 public:
  Parameters(const std::vector<Parameter>& query, const Options& options, Findings& findings);

  Text text(std::string_view name);
  Integer integer(std::string_view name);
  std::optional<bool> boolean(std::string_view name);
  Range range(std::string_view name);
  std::vector<std::string> texts(std::string_view name);
  std::vector<std::int64_t> integers(std::string_view name);
  // Indexed from 0 without gaps; each object may have only these members.
  std::vector<FilterObject> objects(std::string_view name, const std::set<std::string>& members);

  // Adds the values of one parameter: the value itself, or its parts between commas.
  void spread(std::string_view value, std::vector<std::string>& values) const;
  std::vector<std::int64_t> integers(std::string_view name, const std::vector<std::string>& texts);

  bool has(std::string_view name) const;
  void refuse(std::string_view name, std::string message);
  // The whole number of a text, or a finding.
  Integer whole(std::string_view name, const std::string& text);

  // Call it last: in strict mode each parameter that was not read is a finding.
  void refuse_rest();

 private:
  struct Part {
    std::string written, base, member, value;
    Integer index;
    bool used = false;
  };
  std::vector<Part> parts_;
  const Options& options_;
  Findings& findings_;

  Part split(const Parameter& parameter) const;
  Part* scalar(std::string_view name);
  Instant date(Part& part);
};

enum class ListKind : char { customers = 'c', ratings = 'r', bouncers = 'b' };

// A filter of dates: the date of a customer that it compares (nullopt: none yet), and the range.
struct DateFilter {
  Instant (*date)(const Customer& customer, TimePoint now);
  Range range;
};

struct DataFilter {
  std::int64_t column = 0;
  std::string value;
};

struct AnswerFilter {
  std::int64_t question = 0;
  std::set<std::int64_t> positions;
};

struct Filter {
  std::optional<Step> since;  // only customers to whom this has happened are in the list
  std::vector<DateFilter> dates;
  std::vector<DataFilter> data;
  std::vector<AnswerFilter> answers;
  std::set<std::int64_t> statuses, ids;
  std::set<std::string> emails;  // in lower case
  std::optional<bool> opted_out;
  std::optional<ReviewStatus> review_status;
  bool test_records = false;
  bool notes = false;
};

Filter read_filter(ListKind kind, Parameters& parameters, const Options& options);

// `batch` is the customer's.
bool fits(const Filter& filter, const Customer& customer, const Batch& batch, std::uint64_t seed,
          TimePoint now);

}  // namespace sandbox
