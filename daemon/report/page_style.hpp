// The style sheet of the report's page: screen and paper, light and dark, wide and as narrow as a
// phone. Pure.
#pragma once

namespace surveybridge::daemon {

extern const char* const kReportStyle;

}  // namespace surveybridge::daemon
