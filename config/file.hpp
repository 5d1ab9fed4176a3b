// Reads a small file whole. Besides the environment (secret.cpp) this is the only I/O of the room.
#pragma once

#include <string>
#include <variant>

namespace surveybridge::config {

struct FileText {
  std::string text;
  bool world_readable = false;
};
struct FileRefused {
  std::string why;  // "cannot be read: No such file or directory"
};

// At most `bytes_max` bytes of a regular file. A pipe or a device is refused.
std::variant<FileText, FileRefused> read_file(const std::string& path, std::size_t bytes_max);

}  // namespace surveybridge::config
