// Customers become a batch: the request around them, and how many fit one (docs/SERVICE.md 2.1
// and 8). Pure.
#pragma once

#include <string>
#include <vector>

#include "config/settings.hpp"
#include "mapping/interface/record.hpp"

namespace surveybridge::mapping {

// The batch around customers: settings of [push.NAME.batch]; "{date}" in BatchName becomes the
// local date of `now` in `zone`, and SendTime that time of this day in `zone` (its date is ignored
// by the service). What is not set is not sent.
Record batch_of(const config::Batch& settings, std::vector<Record> customers, Instant now,
                const std::string& zone);

// How many of `customers`, from the first, fit one batch of at most `size` customers and `bytes`
// bytes of JSON. At least 1.
std::size_t fit(const std::vector<Record>& customers, std::size_t size, std::size_t bytes);

}  // namespace surveybridge::mapping
