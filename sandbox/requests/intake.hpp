// Reads the body of customer/add (docs/SERVICE.md 2.1, 2.2 and the rules of 4.1). Pure: the batch,
// or its faults, each with the customer's index.
#pragma once

#include <span>
#include <vector>

#include "sandbox/body/fields.hpp"
#include "sandbox/options/options.hpp"

namespace sandbox {

struct Intake {
  Batch batch;
  std::vector<Imported> customers;
  std::vector<bool> sound;  // for each customer: it has no fault
};

struct IntakeRules {
  std::span<const DataColumn> columns;
  int most_customers = 200;
  ReadingRules reading;
  Options::DataValues data_values = Options::DataValues::kept;
};

// `now` fills a TransactionDate that is null. With findings, only faultless customers are usable.
Intake read_batch(const Node& body, TimePoint now, const IntakeRules& rules, Findings& findings);

// The form of a mail address: one @, a local part of at most 64 bytes, labels of letters, digits
// and hyphens with dots between, at most 254 bytes.
bool valid_email(std::string_view address);

}  // namespace sandbox
