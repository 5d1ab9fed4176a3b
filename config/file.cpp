#include "config/file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

namespace surveybridge::config {
namespace {

constexpr std::size_t kPathMost = 4096;

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

std::string name_of(uid_t account) {
  const struct passwd* user = ::getpwuid(account);
  return user == nullptr ? std::to_string(account) : user->pw_name;
}

// In a folder with the sticky bit nobody replaces another one's file.
std::optional<std::string> fault_in_rights(const std::string& path, const struct stat& about,
                                           bool by_group) {
  const bool ours = about.st_uid == 0 || about.st_uid == ::geteuid();
  const bool sticky = S_ISDIR(about.st_mode) && (about.st_mode & S_ISVTX) != 0;
  const bool open = (about.st_mode & S_IWOTH) != 0 ||
                    (by_group && (about.st_mode & S_IWGRP) != 0 && about.st_gid != 0);
  if (ours && (sticky || !open)) return std::nullopt;
  return fmt::format(
      "can be changed by another account: {} (mode {:04o}, owner {}): {} tells {} what to do: give "
      "it to "
      "root, and keep others from writing it (chown root, chmod go-w)",
      path, about.st_mode & 07777, name_of(about.st_uid),
      ours ? "whoever may write it" : "its owner", name_of(::geteuid()));
}

// Of an open file: by which names it was reached is no matter, and cannot change any more.
std::optional<std::string> fault_in_rights(int number, const struct stat& status) {
  if (::geteuid() != 0 && name_of(::geteuid()) != kServiceAccount) return std::nullopt;
  std::string path(kPathMost, '\0');
  const std::string link = fmt::format("/proc/self/fd/{}", number);
  path.resize(static_cast<std::size_t>(
      std::max<ssize_t>(0, ::readlink(link.c_str(), path.data(), path.size()))));
  if (auto fault = fault_in_rights(path, status, true)) return fault;
  for (bool direct = true; path.starts_with('/') && path.size() > 1; direct = false) {
    path.resize(std::max<std::size_t>(1, path.rfind('/')));
    struct stat folder {};
    if (::stat(path.c_str(), &folder) != 0) continue;
    if (auto fault = fault_in_rights(path, folder, direct)) return fault;
  }
  return std::nullopt;
}

}  // namespace

std::variant<FileText, FileRefused> read_file(const std::string& path, std::size_t bytes_max) {
  const Descriptor file(path);
  struct stat status {};
  if (file.number() < 0 || ::fstat(file.number(), &status) != 0) return unreadable(errno);
  if (!S_ISREG(status.st_mode)) return FileRefused{"is not a regular file"};
  if (auto fault = fault_in_rights(file.number(), status)) return FileRefused{*std::move(fault)};
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

std::string path_beside(const std::string& file, const std::string& path) {
  if (path.starts_with('/')) return path;
  const std::string beside = file.substr(0, file.rfind('/') + 1) + path;
  std::string here(kPathMost, '\0');
  if (beside.starts_with('/') || ::getcwd(here.data(), here.size()) == nullptr) return beside;
  return std::string(here.c_str()) + "/" + beside;
}

std::string real_path(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> real(::realpath(path.c_str(), nullptr),
                                                         &std::free);
  return real ? real.get() : path;
}

}  // namespace surveybridge::config
