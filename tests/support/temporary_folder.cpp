#include "tests/support/temporary_folder.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include <stdlib.h>
#include <unistd.h>

namespace support {

namespace {

std::filesystem::path parent_of(TemporaryFolder::Place place) {
  constexpr const char* kMemory = "/dev/shm";
  const bool memory = place == TemporaryFolder::Place::memory && access(kMemory, W_OK) == 0;
  return memory ? std::filesystem::path(kMemory) : std::filesystem::temp_directory_path();
}

}  // namespace

TemporaryFolder::TemporaryFolder(Place place) {
  path_ = (parent_of(place) / "bridge-XXXXXX").string();
  if (mkdtemp(path_.data()) == nullptr) throw std::runtime_error("no folder " + path_);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string TemporaryFolder::write(const std::string& name, const std::string& content) const {
  const std::string file = path_ + "/" + name;
  std::filesystem::create_directories(std::filesystem::path(file).parent_path());
  std::ofstream out(file, std::ios::binary);
  if (!(out << content).flush()) throw std::runtime_error("cannot write " + file);
  return file;
}

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace support
