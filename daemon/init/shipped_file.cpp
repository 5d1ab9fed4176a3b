#include "daemon/init/shipped_file.hpp"

#include <fstream>
#include <string_view>

namespace surveybridge::daemon {

bool is_shipped_file(const std::string& path) {
  const std::string_view shipped = kShippedConfiguration;
  std::ifstream file(path, std::ios::binary);
  std::string text(shipped.size() + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  return std::string_view(text).substr(0, static_cast<std::size_t>(file.gcount())) == shipped;
}

}  // namespace surveybridge::daemon
