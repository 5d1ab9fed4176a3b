// survey_customer_history: how the status and the scores of each customer were, and since when the
// bridge knows it (docs/REPORTS.md). A row for each change; a customer's rows are numbered from 1.
// A new customer has none: survey_invitation says it, with "seen_at", and its first row is written
// when the customer changes. Most customers of a first pull never do.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "connectors/crm/driver/database.hpp"
#include "connectors/crm/report/report_columns.hpp"

namespace surveybridge::crm {

class HistoryStore {
 public:
  // `kept` false: nothing is written. The table has its columns all the same, for the view.
  explicit HistoryStore(bool kept) : kept_(kept) {}

  // Adds the columns of scores that the table lacks, in a transaction of its own. `columns`: those
  // of survey_invitation. DatabaseError where the table may not be changed.
  void prepare(Database& database, const ReportColumns& columns);
  bool has(const ReportColumns& columns) const;  // prepare() has seen to them
  bool is_kept() const { return kept_; }
  // Writes the first row of each of these customers, by survey_invitation as it is; nothing of
  // those who have one. Before their rows there are changed, which must empty "seen_at".
  void write_first(Database& database, const std::vector<Value>& customers) const {
    write(database, customers, std::nullopt);
  }
  // Notes the customers with these ids whose status or scores in survey_invitation are not those of
  // their last row, as seen `now`. One statement for each run of ids, within the caller's
  // transaction.
  void note(Database& database, const std::vector<Value>& customers, Instant now) const {
    write(database, customers, now);
  }

 private:
  // Writes first rows, or with `now` notes customers.
  void write(Database& database, const std::vector<Value>& customers,
             const std::optional<Instant>& now) const;

  bool kept_;
  std::vector<std::string> scores_;  // names of columns
};

// Removes what was no longer so at `before`: each customer keeps the row of that time and the later
// ones, so that every day since then can be shown. Once a day, by `now` (the database's clock), it
// begins with the first customer; a call looks at 50,000 customers, and the next call goes on.
// Returns the number of rows removed.
std::int64_t prune_history(Database& database, Instant before, Instant now);
// Removes the rows of 50,000 customers: the next call goes on.
std::int64_t clear_history(Database& database);

}  // namespace surveybridge::crm
