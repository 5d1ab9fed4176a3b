#include "daemon/commands/new_file.hpp"

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace surveybridge::daemon {

namespace {

std::string failed(const std::string& path, int error) {
  return path + ": cannot be written: " + std::generic_category().message(error);
}

std::string is_there(const std::string& path) {
  return path + ": is there already; --force replaces it";
}

bool write_all(int descriptor, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t wrote = ::write(descriptor, text.data() + done, text.size() - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return false;
    done += static_cast<std::size_t>(wrote);
  }
  return ::fsync(descriptor) == 0;
}

// The folder decides which group reads it: /etc/surveybridge belongs to the group of the service.
bool hand_over(int descriptor, const NewFile& file) {
  struct stat folder {};
  if (::stat(folder_of(file.path).c_str(), &folder) != 0) return false;
  const bool grouped =
      ::geteuid() != 0 || ::fchown(descriptor, static_cast<uid_t>(-1), folder.st_gid) == 0;
  return grouped && ::fchmod(descriptor, file.mode) == 0;
}

// A link is refused where the name is taken; a rename replaces what is there.
bool put_in_place(const std::string& from, const std::string& to, bool replace) {
  if (replace) return std::rename(from.c_str(), to.c_str()) == 0;
  if (::link(from.c_str(), to.c_str()) != 0) return false;
  ::unlink(from.c_str());
  return true;
}

// One process writes into a folder at a time, so that nobody takes the other's draft for one that
// was left. The kernel ends that with the process. A file system without such locks has none.
class WriterOf {
 public:
  explicit WriterOf(const std::string& folder)
      : folder_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)),
        another_(folder_ >= 0 && ::flock(folder_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
  }
  ~WriterOf() {
    if (folder_ >= 0) ::close(folder_);
  }
  WriterOf(const WriterOf&) = delete;
  WriterOf& operator=(const WriterOf&) = delete;

  bool is_another() const { return another_; }

 private:
  const int folder_;
  const bool another_;
};

}  // namespace

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

std::optional<std::string> fault_of_new_file(const std::string& path, bool replace) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) return path + ": is a folder";
    if (!replace) return is_there(path);
  }
  if (::access(folder_of(path).c_str(), W_OK | X_OK) != 0) return failed(path, errno);
  return std::nullopt;
}

std::optional<std::string> write_new_file(const NewFile& file, bool replace) {
  const WriterOf writer(folder_of(file.path));
  if (writer.is_another()) return failed(file.path, EBUSY);
  const std::string draft = file.path + ".new";
  ::unlink(draft.c_str());  // of a call that was killed
  const int descriptor =
      ::open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (descriptor < 0) return failed(file.path, errno);
  bool done = write_all(descriptor, file.text) && hand_over(descriptor, file);
  int error = errno;
  if (::close(descriptor) != 0 && done) {
    error = errno;
    done = false;
  }
  if (done && !put_in_place(draft, file.path, replace)) {
    error = errno;
    done = false;
  }
  if (done) return std::nullopt;
  ::unlink(draft.c_str());
  return error == EEXIST ? is_there(file.path) : failed(file.path, error);
}

}  // namespace surveybridge::daemon
