// SQL of the view survey_report_history: what each customer was, from when to when. Pure.
#pragma once

#include <string>

#include "connectors/crm/driver/database.hpp"
#include "connectors/crm/report/report_shape.hpp"

namespace surveybridge::crm {

std::string history_view(Dialect dialect, const ReportColumns& columns);

}  // namespace surveybridge::crm
