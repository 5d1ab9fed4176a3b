#include "daemon/push/attachment_reader.hpp"

#include <algorithm>
#include <cerrno>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace surveybridge::daemon {

namespace {

using mapping::Coerced;
using mapping::ConversionError;

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  int number() const { return number_; }

 private:
  int number_;
};

std::string said(const std::string& folder, int error) {
  return fmt::format("{}: {}", folder, std::generic_category().message(error));
}

Descriptor open_folder(const std::string& folder) {
  return Descriptor(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
}

// The parts of the path; empty: it would leave the folder.
std::vector<std::string> steps_of(const std::string& name) {
  std::vector<std::string> steps;
  if (name.starts_with('/')) return {};
  for (std::size_t from = 0; from <= name.size();) {
    const std::size_t to = std::min(name.find('/', from), name.size());
    std::string step = name.substr(from, to - from);
    if (step == "..") return {};
    if (!step.empty() && step != ".") steps.push_back(std::move(step));
    from = to + 1;
  }
  return steps;
}

// Errors that are the fault of the name. Throws for all others, which are not a fault of the row.
ConversionError fault_of_name(const std::string& folder, int error) {
  switch (error) {
    case ENOENT:
    case ENOTDIR:
      return ConversionError{"is not there"};
    case ENAMETOOLONG:
      return ConversionError{"has too long a name"};
    case EACCES:
    case EPERM:
    case EIO:
      return ConversionError{"cannot be read"};
    case ELOOP:
      return ConversionError{"is a link or behind one, and links are not followed"};
    case ENXIO:  // a socket
      return ConversionError{"is no regular file"};
    default:
      throw std::runtime_error(said(folder, error));
  }
}

// For a link where a folder should be the system reports that it is no folder.
bool is_link(int folder, const std::string& name) {
  struct stat about {};
  return ::fstatat(folder, name.c_str(), &about, AT_SYMLINK_NOFOLLOW) == 0 &&
         S_ISLNK(about.st_mode);
}

// Opens each part relative to the folder before it, so that no name is resolved twice.
std::variant<Descriptor, ConversionError> open_in(const std::string& folder,
                                                  const std::vector<std::string>& steps) {
  Descriptor at = open_folder(folder);
  if (at.number() < 0) throw std::runtime_error(said(folder, errno));
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const bool last = i + 1 == steps.size();
    // Without O_NONBLOCK, opening a pipe would wait for its writer.
    const int how = last ? O_RDONLY | O_NONBLOCK | O_NOCTTY : O_PATH | O_DIRECTORY;
    Descriptor next(::openat(at.number(), steps[i].c_str(), how | O_NOFOLLOW | O_CLOEXEC));
    if (next.number() < 0) {
      const int error = errno;
      return fault_of_name(folder, is_link(at.number(), steps[i]) ? ELOOP : error);
    }
    at = std::move(next);
  }
  return at;
}

Coerced content_of(const Descriptor& file, const std::string& folder, std::size_t bytes_max) {
  struct stat about {};
  if (::fstat(file.number(), &about) != 0) throw std::runtime_error(said(folder, errno));
  if (!S_ISREG(about.st_mode)) return ConversionError{"is no regular file"};
  const ConversionError too_large{fmt::format("has more than {} bytes", bytes_max)};
  if (static_cast<std::size_t>(about.st_size) > bytes_max) return too_large;
  // The file may have grown: read one byte more than its size, and never more than allowed.
  std::string content(static_cast<std::size_t>(about.st_size) + 1, '\0');
  std::size_t length = 0;
  while (length < content.size()) {
    const ssize_t got = ::read(file.number(), content.data() + length, content.size() - length);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fault_of_name(folder, errno);
    if (got == 0) break;
    length += static_cast<std::size_t>(got);
  }
  if (length == content.size()) return ConversionError{"is being written"};
  content.resize(length);
  return mapping::Value{mapping::Bytes{std::move(content)}};
}

}  // namespace

Coerced read_from_folder(const std::string& folder, const std::string& name,
                         std::size_t bytes_max) {
  if (name.find('\0') != std::string::npos)
    return ConversionError{"has a name that no file can have"};
  const auto steps = steps_of(name);
  if (steps.empty()) return ConversionError{"is not in the folder"};
  const auto opened = open_in(folder, steps);
  if (const auto* misfit = std::get_if<ConversionError>(&opened)) return *misfit;
  return content_of(std::get<Descriptor>(opened), folder, bytes_max);
}

std::optional<std::string> fault_of_folder(const std::string& folder) {
  if (open_folder(folder).number() >= 0) return {};
  return said(folder, errno);
}

}  // namespace surveybridge::daemon
