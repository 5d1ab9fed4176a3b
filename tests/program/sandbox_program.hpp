// surveysandbox as a process, used over its sockets. Ends with the object.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tests/support/child_process.hpp"

namespace program {

class SandboxProgram {
 public:
  // Listens when this returns; the token is kToken.
  explicit SandboxProgram(const std::vector<std::string>& flags = {});

  const std::string& url() const { return url_; }
  // Its control paths (surveysandbox --help).
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

}  // namespace program
