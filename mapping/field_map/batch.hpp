// Customers become a batch: the request, and the number of customers that fit in it
// (docs/SERVICE.md 2.1 and 8). Pure.
#pragma once

#include <string>
#include <vector>

#include "config/settings.hpp"
#include "mapping/interface/record.hpp"

namespace surveybridge::mapping {

// The batch with its customers and the settings of [push.NAME.batch]. "{date}" in BatchName becomes
// the local date of `now` in `zone`. SendTime is that time of this day in `zone` (the service
// ignores its date). Settings that are not set are not sent.
Record batch_of(const config::Batch& settings, std::vector<Record> customers, Instant now,
                const std::string& zone);

// The number of `customers`, from the first, that fit in a batch of at most `size` customers and
// `bytes` bytes of JSON. At least 1.
std::size_t fit(const std::vector<Record>& customers, std::size_t size, std::size_t bytes);

}  // namespace surveybridge::mapping
