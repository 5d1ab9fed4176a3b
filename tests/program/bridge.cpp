#include "tests/program/bridge.hpp"

#include <cctype>
#include <sstream>
#include <stdexcept>

#include <fmt/ranges.h>

#include "connectors/service/curl_transport.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/socket_client.hpp"

namespace program {

namespace service = surveybridge::service;

std::vector<std::string> private_words_in(const std::string& said) {
  std::vector<std::string> found;
  for (const char* word : {kToken, kDomain, kName, kRemark, kPassword, kPhone})
    if (said.find(word) != std::string::npos) found.emplace_back(word);
  return found;
}

void expect_no_private_words(const std::string& said) {
  for (const std::string& word : private_words_in(said))
    ADD_FAILURE() << "the program said \"" << word << "\":\n" << said;
}

support::Program bridge_program(const Arguments& arguments, const Arguments& environment) {
  support::Program program{{support::bin_dir() + "/surveybridge"}, environment};
  program.argv.insert(program.argv.end(), arguments.begin(), arguments.end());
  program.environment.push_back(std::string("BRIDGE_TOKEN=") + kToken);
  return program;
}

support::Finished bridge(const Arguments& arguments, support::Deadline deadline) {
  support::Finished finished = run(bridge_program(arguments), deadline);
  expect_no_private_words(finished.err);
  const std::string command = arguments.empty() ? "" : arguments.front();
  const bool shows_people = command == "preview" || command == "export" || command == "init";
  if (!shows_people) expect_no_private_words(finished.out);
  EXPECT_THAT(finished.out, lacks(kToken));
  return finished;
}

Arguments with_file(Arguments words, const std::string& config) {
  words.insert(words.begin() + 1, {"-c", config});
  return words;
}

support::Finished command(const Arguments& words, const std::string& config) {
  return bridge(with_file(words, config));
}

Said has_each(const Arguments& parts) {
  std::vector<Said> all;
  for (const auto& part : parts)
    all.emplace_back(testing::HasSubstr(part));
  return testing::AllOfArray(all);
}

Said lacks_each(const Arguments& parts) {
  std::vector<Said> all;
  for (const auto& part : parts)
    all.emplace_back(testing::Not(testing::HasSubstr(part)));
  return testing::AllOfArray(all);
}

support::Finished expect(const Arguments& arguments, int status, const Said& out, const Said& err) {
  support::Finished ran = bridge(arguments);
  SCOPED_TRACE(fmt::format("surveybridge {}", fmt::join(arguments, " ")));
  EXPECT_EQ(ran.status, status) << ran.out << ran.err;
  EXPECT_THAT(ran.out, out);
  EXPECT_THAT(ran.err, err);
  return ran;
}

Arguments commands_of_help() {
  Arguments commands;
  std::istringstream lines(bridge({"--help"}).out);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("  ") && line.size() > 2 && std::islower(line[2]) != 0)
      commands.push_back(line.substr(2, line.find(' ', 2) - 2));
  return commands;
}

Daemon::Daemon(const std::string& config, const Arguments& environment)
    : child_(bridge_program({"run", "-c", config}, environment)) {}

Daemon::~Daemon() {
  child_.signal(SIGKILL);
  child_.wait(std::chrono::seconds(10));
  expect_no_private_words(child_.out() + child_.err());
}

bool Daemon::until(const std::function<bool()>& holds) {
  for (const auto end = std::chrono::steady_clock::now() + std::chrono::minutes{1};
       std::chrono::steady_clock::now() < end;) {
    if (holds()) return true;
    if (const auto status = child_.wait(std::chrono::milliseconds{20})) {
      ADD_FAILURE() << "the daemon has ended with " << *status << ":\n"
                    << child_.out() << child_.err();
      return false;
    }
  }
  return false;
}

std::optional<int> Daemon::stop() {
  child_.signal(SIGTERM);
  return child_.wait(std::chrono::seconds(10));
}

namespace {

support::Program sandbox_program(const Arguments& flags) {
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

SandboxProgram::SandboxProgram(const Arguments& flags) : child_(sandbox_program(flags)) {
  if (!child_.wait_for("\n", std::chrono::seconds(30)))
    throw std::runtime_error("surveysandbox does not listen: " + child_.err());
  url_ = child_.out().substr(0, child_.out().find('\n'));
}

nlohmann::json SandboxProgram::get(const std::string& path) const {
  return nlohmann::json::parse(answer_to({"GET", url_ + path, {}, {}, false, {}}));
}

void SandboxProgram::post(const std::string& path, const nlohmann::json& body) const {
  answer_to(
      {"POST",
       url_ + path,
       {{"Content-Type", "application/json"}, {"Authorization", std::string("Bearer ") + kToken}},
       body.dump(),
       false,
       {}});
}

std::string answer_of(int port, const std::string& path, const Arguments& headers,
                      const std::string& method) {
  std::string request = method + " " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n";
  for (const auto& header : headers)
    request += header + "\r\n";
  try {
    support::SocketClient client(port);
    client.send(request + "\r\n");
    return client.answer();
  } catch (const std::runtime_error&) {
    return {};  // nobody listens, or says a word
  }
}

std::string body_of(int port, const std::string& path) {
  const std::string answer = answer_of(port, path);
  const auto head = answer.find("\r\n\r\n");
  return head == std::string::npos ? "" : answer.substr(head + 4);
}

Samples samples_in(const std::string& metrics) {
  Samples samples;
  std::istringstream lines(metrics);
  for (std::string line; std::getline(lines, line);) {
    const auto blank = line.rfind(' ');
    if (blank == std::string::npos || line.front() == '#') continue;
    samples[line.substr(0, blank)] = std::stod(line.substr(blank + 1));
  }
  return samples;
}

double value_of(const Samples& samples, const std::string& name) {
  const auto found = samples.find(name);
  return found == samples.end() ? -1 : found->second;
}

}  // namespace program
