// A folder of a test's own, gone when the test is.
#pragma once

#include <string>

namespace support {

class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }
  // Writes a file in it and returns its path.
  std::string write(const std::string& name, const std::string& content) const;

 private:
  std::string path_;
};

// What a file holds; throws std::runtime_error where there is none.
std::string read_file(const std::string& path);

}  // namespace support
