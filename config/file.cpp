#include "config/file.hpp"

#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace surveybridge::config {
namespace {

class Descriptor {
 public:
  // Without O_NONBLOCK, opening a pipe would wait for its writer.
  explicit Descriptor(const std::string& path)
      : number_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

FileRefused unreadable(int error) {
  return {"cannot be read: " + std::generic_category().message(error)};
}

}  // namespace

std::variant<FileText, FileRefused> read_file(const std::string& path, std::size_t bytes_max) {
  const Descriptor file(path);
  struct stat status {};
  if (file.number() < 0 || ::fstat(file.number(), &status) != 0) return unreadable(errno);
  if (!S_ISREG(status.st_mode)) return FileRefused{"is not a regular file"};
  FileText read{std::string(bytes_max + 1, '\0'), (status.st_mode & S_IROTH) != 0};
  std::size_t length = 0;
  while (length < read.text.size()) {
    const ssize_t got = ::read(file.number(), read.text.data() + length, read.text.size() - length);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return unreadable(errno);
    if (got == 0) break;
    length += static_cast<std::size_t>(got);
  }
  if (length > bytes_max) return FileRefused{fmt::format("is larger than {} bytes", bytes_max)};
  read.text.resize(length);
  return read;
}

}  // namespace surveybridge::config
