// What the kernel says of this process, under the names that every Prometheus client uses.
#pragma once

#include <vector>

#include <prometheus/metric_family.h>

namespace surveybridge::daemon {

// A figure that cannot be read is left out.
std::vector<prometheus::MetricFamily> process_figures();

}  // namespace surveybridge::daemon
