// A folder of a test, removed with the object.
#pragma once

#include <string>

namespace support {

class TemporaryFolder {
 public:
  // memory: on a file system in memory where the machine has one. For databases that are only
  // killed in the test, never by the machine: nothing waits for a disk.
  enum class Place { disk, memory };
  explicit TemporaryFolder(Place place = Place::disk);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }
  // Writes a file in it and returns its path.
  std::string write(const std::string& name, const std::string& content) const;

 private:
  std::string path_;
};

// The content of a file; throws std::runtime_error if there is none.
std::string read_file(const std::string& path);

}  // namespace support
