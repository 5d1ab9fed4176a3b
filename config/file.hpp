// Reads a small file whole. The room's only I/O besides the environment (secret.cpp).
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

// At most `bytes_max` bytes of a regular file (a pipe or a device is refused, not waited for).
std::variant<FileText, FileRefused> read_file(const std::string& path, std::size_t bytes_max);

}  // namespace surveybridge::config
