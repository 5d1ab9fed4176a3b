// Reads a small file whole. Root and the account of the service refuse one that another account
// could have written: it would tell them what to do. Besides the environment (secret.cpp) this is
// the only I/O of the room.
#pragma once

#include <string>
#include <variant>

namespace surveybridge::config {

// The account of the package (packaging/surveybridge.sysusers).
inline constexpr const char* kServiceAccount = "surveybridge";

struct FileText {
  std::string text;
  bool world_readable = false;
};
struct FileRefused {
  std::string why;  // "cannot be read: No such file or directory"
};

// At most `bytes_max` bytes of a regular file. A pipe or a device is refused. What was opened is
// judged, and every folder above it: its owner is root, or the service where that reads, and nobody
// else may write there. Others than root and the service keep files as they like.
std::variant<FileText, FileRefused> read_file(const std::string& path, std::size_t bytes_max);

// A path that is written in `file`: a relative one begins at its folder. Absolute, unless the
// program's own folder is gone.
std::string path_beside(const std::string& file, const std::string& path);
// Two names of one file give the same text; a file that is not there its own name.
std::string real_path(const std::string& path);

}  // namespace surveybridge::config
