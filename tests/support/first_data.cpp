#include "tests/support/first_data.hpp"

#include <filesystem>
#include <functional>
#include <stdexcept>

#include <unistd.h>

#include "tests/support/paths.hpp"

namespace support {
namespace {

namespace fs = std::filesystem;

// What differs in another version of the program, or with other options.
std::string name_of(const std::string& folder, const Program& maker) {
  const std::string temporary = fs::path(folder).parent_path().string();
  std::string all = maker.user;
  for (const auto& word : maker.argv) {
    std::error_code none;
    const auto changed = fs::last_write_time(word, none);
    if (!none) all += std::to_string(changed.time_since_epoch().count());
    all += "\n" + word.substr(0, word.find(temporary));
  }
  return std::to_string(std::hash<std::string>{}(all));
}

bool copied(const std::string& from, const std::string& to) {
  return run({{"cp", "--archive", "--no-target-directory", from, to}, {}}).status == 0;
}

// Others may do the same at the same time: the first one's stays.
void keep(const std::string& folder, const std::string& kept) {
  const std::string own = kept + "." + std::to_string(getpid());
  std::error_code ignored;
  fs::create_directories(fs::path(kept).parent_path(), ignored);
  if (copied(folder, own)) fs::rename(own, kept, ignored);
  fs::remove_all(own, ignored);
}

}  // namespace

void make_first_data(const std::string& folder, const Program& maker) {
  const std::string kept = bin_dir() + "/first_data/" + name_of(folder, maker);
  std::error_code ignored;
  if (fs::exists(kept, ignored) && copied(kept, folder)) return;
  fs::remove_all(folder, ignored);  // of a copy that failed
  const Finished made = run(maker);
  if (made.status != 0) throw std::runtime_error(maker.argv.front() + ": " + made.out + made.err);
  keep(folder, kept);
}

}  // namespace support
