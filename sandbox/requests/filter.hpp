// The filters of the three lists (docs/SERVICE.md 4.2 to 4.4): read from the query, applied to a
// customer. Pure. A customer must pass all of them; a filter without values restricts nothing.
#pragma once

#include <array>
#include <set>
#include <string>
#include <vector>

#include "sandbox/model/enumerations.hpp"
#include "sandbox/model/model.hpp"
#include "sandbox/requests/parameters.hpp"

namespace sandbox {

enum class DateField {
  transaction,
  finished,
  invited,
  scheduled,
  opted_out,
  batch_closed,
  last_activity,
  review_approved,
};
constexpr std::size_t kDateFields = 8;

struct DataFilter {
  std::int64_t column = 0;
  std::string value;
};

struct AnswerFilter {
  std::int64_t question = 0;
  std::set<std::int64_t> positions;
};

struct Filter {
  std::array<Range, kDateFields> dates;
  std::vector<DataFilter> data;
  std::vector<AnswerFilter> answers;
  std::set<std::int64_t> statuses, ids;
  std::set<std::string> emails;  // in lower case
  std::optional<bool> opted_out;
  std::optional<ReviewStatus> review_status;
  bool test_records = false;
  bool notes = false;
  std::set<std::int64_t> concatenated;  // ids of questions; rating list only
};

Filter read_customer_filter(Parameters& parameters, const Options& options);
Filter read_rating_filter(Parameters& parameters, const Options& options);
Filter read_bouncer_filter(Parameters& parameters, const Options& options);

// The date of a customer that a DateFilter on this field compares; nullopt: none (yet).
Instant date_of(const Customer& customer, DateField field, TimePoint now);

// `batch` is the customer's.
bool fits(const Filter& filter, const Customer& customer, const Batch& batch, std::uint64_t seed,
          TimePoint now);

}  // namespace sandbox
