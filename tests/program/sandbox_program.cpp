#include "tests/program/sandbox_program.hpp"

#include <stdexcept>

#include "connectors/service/curl_transport.hpp"
#include "tests/program/private_words.hpp"
#include "tests/support/paths.hpp"

namespace program {

namespace service = surveybridge::service;

namespace {

support::Program sandbox_program(const std::vector<std::string>& flags) {
  support::Program program{
      {support::bin_dir() + "/surveysandbox", "--port", "0", "--token", kToken}, {}};
  program.argv.insert(program.argv.end(), flags.begin(), flags.end());
  return program;
}

std::string answer_to(const service::Request& request) {
  service::CurlTransport transport({}, nullptr);
  const service::Exchange exchange = transport.send(request);
  const auto* response = std::get_if<service::Response>(&exchange);
  if (response == nullptr) throw std::runtime_error(std::get<service::Failure>(exchange).detail);
  if (response->status != 200) throw std::runtime_error(request.url + ": " + response->body);
  return response->body;
}

}  // namespace

SandboxProgram::SandboxProgram(const std::vector<std::string>& flags)
    : child_(sandbox_program(flags)) {
  if (!child_.wait_for("\n", std::chrono::seconds(30))) {
    throw std::runtime_error("surveysandbox does not listen: " + child_.err());
  }
  url_ = child_.out().substr(0, child_.out().find('\n'));
}

nlohmann::json SandboxProgram::get(const std::string& path) const {
  return nlohmann::json::parse(answer_to({"GET", url_ + path, {}, {}, false, {}}));
}

void SandboxProgram::post(const std::string& path, const nlohmann::json& body) const {
  answer_to({"POST", url_ + path, {{"Content-Type", "application/json"}}, body.dump(), false, {}});
}

}  // namespace program
