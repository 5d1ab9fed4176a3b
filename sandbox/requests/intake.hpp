// Reads the body of customer/add: docs/SERVICE.md 2.1, 2.2 and the rules of 4.1. Pure: what is
// stored, or what is wrong with it, each finding with the customer's index.
#pragma once

#include <span>
#include <vector>

#include "sandbox/body/fields.hpp"
#include "sandbox/options/options.hpp"

namespace sandbox {

struct Intake {
  Batch batch;
  std::vector<Imported> customers;
  std::vector<bool> sound;  // of each customer: nothing was found wrong with it
};

struct IntakeRules {
  std::span<const DataColumn> columns;
  int most_customers = 200;
  ReadingRules reading;
};

// `now` fills a TransactionDate that is null. With findings, only what is sound counts.
Intake read_batch(const Node& body, TimePoint now, const IntakeRules& rules, Findings& findings);

// One recipient's address as mail knows it: one @, a local part of at most 64 bytes, labels of
// letters, digits and hyphens with a dot between, 254 bytes at most.
bool valid_email(std::string_view address);

}  // namespace sandbox
