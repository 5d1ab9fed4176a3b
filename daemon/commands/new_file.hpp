// Writes a file whole or not at all: others see the old one (or none) until the new one is there.
#pragma once

#include <optional>
#include <string>

#include <sys/types.h>

namespace surveybridge::daemon {

struct NewFile {
  std::string path, text;
  mode_t mode = 0640;
};

// "." of a name alone.
std::string folder_of(const std::string& path);

// Why this file may not be written; empty: it may. Nothing is replaced without `replace`.
std::optional<std::string> fault_of_new_file(const std::string& path, bool replace);

// Why that was not possible, as a sentence; empty: it is written. If root writes it, it gets the
// group of its folder. Without `replace` a file that appears meanwhile stays as it is. A call that
// is killed may leave the draft "PATH.new"; the next one replaces it.
std::optional<std::string> write_new_file(const NewFile& file, bool replace);

}  // namespace surveybridge::daemon
