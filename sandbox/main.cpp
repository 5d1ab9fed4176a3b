// surveysandbox: the stand-in as a program. It prints one line to standard output: its URL.
#include <csignal>
#include <iostream>

#include "http/server.hpp"
#include "sandbox/flags.hpp"
#include "sandbox/service.hpp"

namespace {

sandbox::TimePoint system_time() {
  return std::chrono::time_point_cast<std::chrono::microseconds>(std::chrono::system_clock::now());
}

// Blocks the signals that end the program, in this thread and in all threads started later.
sigset_t block_stop_signals() {
  sigset_t stop;
  sigemptyset(&stop);
  sigaddset(&stop, SIGTERM);
  sigaddset(&stop, SIGINT);
  pthread_sigmask(SIG_BLOCK, &stop, nullptr);
  return stop;
}

int serve(const sandbox::Flags& flags) {
  const sigset_t stop = block_stop_signals();
  sandbox::Service service(flags.options, [&] { return system_time() - flags.behind; });
  http::ServerOptions options;
  options.port = flags.port;
  const http::Server server(
      options, [&](const sandbox::Request& request) { return service.handle(request); });
  std::cout << "http://127.0.0.1:" << server.port() << std::endl;
  int signal = 0;
  sigwait(&stop, &signal);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  int exit = 0;
  try {
    const auto flags = sandbox::read_flags(argc, argv, exit);
    return flags ? serve(*flags) : exit;
  } catch (const std::exception& error) {
    std::cerr << "surveysandbox: " << error.what() << '\n';
    return 69;
  }
}
