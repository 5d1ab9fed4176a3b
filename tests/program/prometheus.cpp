#include "tests/program/prometheus.hpp"

#include <sstream>

#include "tests/support/temporary_folder.hpp"

namespace program {

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

std::string body_of(int port, const std::string& path) {
  const std::string url = "http://127.0.0.1:" + std::to_string(port) + path;
  return support::run({{"curl", "-s", "--max-time", "20", url}, {}}).out;
}

std::string code_of(int port, const std::string& path) {
  const std::string url = "http://127.0.0.1:" + std::to_string(port) + path;
  return support::run(
             {{"curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "--max-time", "20", url}, {}})
      .out;
}

std::string metrics_at(int port) {
  return body_of(port, "/metrics");
}

support::Finished promtool(const std::vector<std::string>& arguments, const std::string& input) {
  // `promtool test rules` keeps a database there and waits for the disk.
  const support::TemporaryFolder folder(support::TemporaryFolder::Place::memory);
  std::vector<std::string> argv{"sh", "-c", "file=$1; shift; exec promtool \"$@\" <\"$file\"", "sh",
                                folder.write("input", input)};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  return support::run({argv, {"TMPDIR=" + folder.path()}}, std::chrono::minutes{3});
}

}  // namespace program
