// A record with a value in every field of its description.
#pragma once

#include "mapping/interface/record.hpp"

namespace surveybridge::mapping {

// Every scalar has a value of its type that is unique in the record; every object is there and
// every list has `items` items.
Record full_record(const Resource& resource, std::size_t items = 2);

}  // namespace surveybridge::mapping
