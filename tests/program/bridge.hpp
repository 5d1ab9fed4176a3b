// The programs as processes: surveybridge as a person or systemd starts it, and surveysandbox. All
// output of surveybridge is searched for private words; the tests of this room use these words for
// their people and secrets.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "tests/support/child_process.hpp"

namespace program {

using Arguments = std::vector<std::string>;

inline constexpr const char* kToken = "t0ken-of-the-bridge";
inline constexpr const char* kDomain = "private.test";  // of every address
inline constexpr const char* kName = "Xanthippe";       // in every name
inline constexpr const char* kRemark = "between us";    // in every answer
inline constexpr const char* kPassword = "s3cret!";     // of the database, see servers.hpp
inline constexpr const char* kPhone = "+31 6 0000";     // begins every number

// The private words in `said`.
std::vector<std::string> private_words_in(const std::string& said);
// A test failure for each of them.
void expect_no_private_words(const std::string& said);

// The program with these arguments; the token is in its environment.
support::Program bridge_program(const Arguments& arguments, const Arguments& environment = {});

// Runs to the end. The output of `preview`, `export` and `init` may show people.
support::Finished bridge(const Arguments& arguments,
                         support::Deadline deadline = std::chrono::seconds(120));

// With `-c config` behind the command's name.
Arguments with_file(Arguments words, const std::string& config);
support::Finished command(const Arguments& words, const std::string& config);

// What a stream has: a text is the whole of it.
using Said = testing::Matcher<const std::string&>;
Said has_each(const Arguments& parts);
Said lacks_each(const Arguments& parts);
template <typename... Parts>
Said has(const Parts&... parts) {
  return has_each({std::string(parts)...});
}
template <typename... Parts>
Said lacks(const Parts&... parts) {
  return lacks_each({std::string(parts)...});
}
// Runs to the end, and a failure names the command.
support::Finished expect(const Arguments& arguments, int status, const Said& out = testing::_,
                         const Said& err = testing::_);

// The commands that --help lists.
Arguments commands_of_help();

// A running daemon (`surveybridge run`). Killed with the object.
class Daemon {
 public:
  explicit Daemon(const std::string& config, const Arguments& environment = {});
  ~Daemon();
  Daemon(const Daemon&) = delete;
  Daemon& operator=(const Daemon&) = delete;
  support::ChildProcess& child() { return child_; }
  // Waits for this text in the output.
  bool says(const std::string& text, support::Deadline deadline = std::chrono::seconds(30)) {
    return child_.wait_for(text, deadline);
  }
  // Waits until `holds`; false: a minute is over, or the daemon has ended.
  bool until(const std::function<bool()>& holds);
  // SIGHUP, by which it reads its configuration anew.
  void reload() { child_.signal(SIGHUP); }
  // Sends SIGTERM; its exit status, empty if it did not end within the allowed ten seconds.
  std::optional<int> stop();

 private:
  support::ChildProcess child_;
};

// surveysandbox, used over its sockets. Ends with the object.
class SandboxProgram {
 public:
  // Listens when this returns; the token is kToken.
  explicit SandboxProgram(const Arguments& flags = {});

  const std::string& url() const { return url_; }
  // Its control paths (surveysandbox --help); a POST may also be one of the service.
  nlohmann::json get(const std::string& path) const;
  void post(const std::string& path, const nlohmann::json& body) const;

  // "after:reset:customer/add:3", see `surveysandbox --help`.
  void fault(const std::string& text) const { post("/sandbox/fault", {{"fault", text}}); }
  std::vector<nlohmann::json> customers() const { return get("/sandbox/customers")["customers"]; }
  std::int64_t adds() const { return get("/sandbox/state")["adds"]; }

 private:
  support::ChildProcess child_;
  std::string url_;
};

// The whole answer of a server on 127.0.0.1, "HTTP/1.1 200 OK…"; empty: there is none. `headers`:
// "NAME: VALUE".
std::string answer_of(int port, const std::string& path, const Arguments& headers = {},
                      const std::string& method = "GET");
std::string body_of(int port, const std::string& path);
// "surveybridge_rows_total{outcome=\"sent\",push=\"orders\"}" → 3, as the page of metrics has them.
using Samples = std::map<std::string, double>;
Samples samples_in(const std::string& metrics);
// The number of this sample; -1: there is none.
double value_of(const Samples& samples, const std::string& name);

}  // namespace program
