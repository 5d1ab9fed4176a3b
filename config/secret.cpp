#include "config/secret.hpp"

#include <cstdlib>

#include <fmt/format.h>

#include "config/file.hpp"
#include "config/text.hpp"

namespace surveybridge::config {
namespace {

using Read = std::variant<std::string, Unreadable>;

constexpr std::size_t kLargest = 64 * 1024;

void drop_line_end(std::string& text) {
  if (text.ends_with('\n')) text.pop_back();
  if (text.ends_with('\r')) text.pop_back();
}

enum class As { secret, lines, open };

// A control character could add a second header or another connection option.
Read checked(const std::string& what, std::string text, As as) {
  drop_line_end(text);
  if (text.empty()) return Unreadable{what + " is empty"};
  if (text.size() > kLargest)
    return Unreadable{fmt::format("{} is larger than {} bytes", what, kLargest)};
  if (as == As::secret && has_control(text))
    return Unreadable{what + " has more than one line or a control character"};
  return text;
}

Read from_file(const std::string& what, const std::string& path, bool may_be_world_readable,
               As as) {
  auto read = read_file(path, kLargest);
  if (const auto* refused = std::get_if<FileRefused>(&read)) {
    return Unreadable{what + " " + refused->why};
  }
  FileText& file = std::get<FileText>(read);
  if (file.world_readable && !may_be_world_readable) {
    return Unreadable{what + " can be read by everybody: `chmod 600 " + path +
                      "`, or 640 where the daemon reads it as a member of its group"};
  }
  return checked(what, std::move(file.text), as);
}

// systemd protects the credentials' folder.
Read from_credential(const std::string& name, As as) {
  const std::string what = place_of({Secret::From::credential, name});
  const char* folder = std::getenv("CREDENTIALS_DIRECTORY");
  if (folder == nullptr) {
    return Unreadable{what + " is not there: CREDENTIALS_DIRECTORY is not set (LoadCredential=)"};
  }
  return from_file(what, std::string(folder) + "/" + name, true, as);
}

Read from_variable(const std::string& name, As as) {
  const std::string what = place_of({Secret::From::env, name});
  const char* text = std::getenv(name.c_str());
  if (text == nullptr) return Unreadable{what + " is not set"};
  return checked(what, text, as);
}

Read read_as(const Secret& secret, As as) {
  switch (secret.from) {
    case Secret::From::credential:
      return from_credential(secret.name, as);
    case Secret::From::file:
      return from_file(place_of(secret), secret.name, as == As::open, as);
    case Secret::From::env:
      return from_variable(secret.name, as);
    case Secret::From::plain:
      return secret.name;
    case Secret::From::none:
      break;
  }
  return Unreadable{"no secret is configured"};
}

}  // namespace

std::string place_of(const Secret& secret) {
  switch (secret.from) {
    case Secret::From::credential:
      return "credential " + quoted(secret.name);
    case Secret::From::file:
      return "file " + quoted(secret.name);
    case Secret::From::env:
      return "environment variable " + quoted(secret.name);
    case Secret::From::plain:
    case Secret::From::none:
      break;
  }
  return "the configuration";
}

std::variant<std::string, Unreadable> read(const Secret& secret) {
  return read_as(secret, As::secret);
}

std::variant<std::string, Unreadable> read_lines(const Secret& secret) {
  return read_as(secret, As::lines);
}

std::variant<std::string, Unreadable> read_open(const Secret& place) {
  return read_as(place, As::open);
}

}  // namespace surveybridge::config
