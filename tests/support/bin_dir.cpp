#include <filesystem>

#include "tests/support/paths.hpp"

namespace support {

const std::string& bin_dir() {
  static const std::string path =
      std::filesystem::read_symlink("/proc/self/exe").parent_path().string();
  return path;
}

}  // namespace support
