#include "tests/support/paths.hpp"

namespace support {

const std::string& source_dir() {
  static const std::string path = SOURCE_DIR;
  return path;
}

}  // namespace support
