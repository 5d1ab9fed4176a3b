// SQL of the views for reports, in a dialect (docs/REPORTS.md). Pure.
#pragma once

#include <string>
#include <vector>

#include "connectors/crm/driver/database.hpp"
#include "connectors/crm/report/report_shape.hpp"

namespace surveybridge::crm {

struct ReportView {
  std::string name;
  std::string select;
};
std::vector<ReportView> report_views(Dialect dialect, const ReportShape& shape,
                                     const ReportColumns& columns);

}  // namespace surveybridge::crm
