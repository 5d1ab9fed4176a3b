#include "connectors/crm/report/report_shape.hpp"

namespace surveybridge::crm {

ReportShape report_shape(const config::Settings& settings) {
  ReportShape shape{{}, settings.report, settings.crm.time_zone};
  for (const auto& push : settings.pushes) {
    if (!push.correlate.empty()) shape.correlates.push_back({push.name, push.correlate});
  }
  return shape;
}

std::string score_column(std::int64_t question, std::int64_t occurrence) {
  const std::string id =
      question < 0 ? "m" + std::to_string(question).substr(1) : std::to_string(question);
  return "score_" + id + (occurrence == 1 ? "" : "_" + std::to_string(occurrence));
}

}  // namespace surveybridge::crm
