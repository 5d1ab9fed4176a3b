#include "daemon/file_reader.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <stdexcept>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace surveybridge::daemon {
namespace {

namespace fs = std::filesystem;
using mapping::Misfit;

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

[[noreturn]] void give_up(const std::string& folder, int error) {
  throw std::runtime_error(fmt::format("{}: {}", folder, std::generic_category().message(error)));
}

fs::path real_folder(const std::string& folder) {
  std::error_code error;
  fs::path real = fs::canonical(folder, error);
  if (error) give_up(folder, error.value());
  return real;
}

// The name's own fault, or something that passes?
bool is_of_the_name(int error) {
  return error == ENOENT || error == ENOTDIR || error == EACCES || error == ELOOP ||
         error == ENAMETOOLONG || error == EPERM;
}

bool lies_in(const fs::path& file, const fs::path& folder) {
  const auto [rest, other] = std::mismatch(folder.begin(), folder.end(), file.begin(), file.end());
  return rest == folder.end() && other != file.end();
}

mapping::Coerced content_of(int fd, const std::string& folder, std::size_t most) {
  const Misfit too_large{fmt::format("a file of more than {} bytes", most)};
  struct stat about {};
  if (fstat(fd, &about) != 0) give_up(folder, errno);
  if (!S_ISREG(about.st_mode)) return Misfit{"not a regular file"};
  if (static_cast<std::size_t>(about.st_size) > most) return too_large;
  std::string content;
  char chunk[65536];
  while (content.size() <= most) {
    const ssize_t got = read(fd, chunk, sizeof chunk);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) give_up(folder, errno);
    if (got == 0) return mapping::Value{mapping::Bytes{std::move(content)}};
    content.append(chunk, static_cast<std::size_t>(got));
  }
  return too_large;  // it has grown meanwhile
}

}  // namespace

mapping::Coerced read_file_in(const std::string& folder, const std::string& name,
                              std::size_t most) {
  const fs::path root = real_folder(folder);
  if (name.find('\0') != std::string::npos) return Misfit{"not the name of a file"};
  std::error_code error;
  const fs::path file = fs::canonical(root / name, error);
  if (error && is_of_the_name(error.value())) return Misfit{"there is no such file"};
  if (error) give_up(folder, error.value());
  if (!lies_in(file, root)) return Misfit{"a file outside the folder"};
  const Descriptor opened(open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (opened.get() >= 0) return content_of(opened.get(), folder, most);
  if (is_of_the_name(errno)) return Misfit{"a file that may not be read"};
  give_up(folder, errno);
}

}  // namespace surveybridge::daemon
