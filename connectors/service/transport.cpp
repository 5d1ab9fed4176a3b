#include "connectors/service/transport.hpp"

namespace surveybridge::service {

std::string_view Response::header(std::string_view name) const {
  for (const auto& [key, value] : headers) {
    if (key == name) return value;
  }
  return {};
}

}  // namespace surveybridge::service
