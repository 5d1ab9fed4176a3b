// Who may answer as the daemon: the kernel says whose process listens.
#include "daemon/runtime/control_socket.hpp"

#include <cstddef>
#include <cstring>
#include <string>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "mapping/values/name_uuid.hpp"
#include "tests/support/temporary_folder.hpp"

namespace surveybridge::daemon {
namespace {

TEST(ControlSocketClient, HearsTheDaemonOfItsOwnUser) {
  const support::TemporaryFolder folder;
  const std::string file = folder.path() + "/surveybridge.toml";
  const ControlSocket daemon(file, [](const std::string& line) { return "heard " + line; });
  EXPECT_EQ(ask_daemon(file, "stuck"), "heard stuck");
}

// Answers one client "ok" under the daemon's name.
class Impostor {
 public:
  // The kernel notes at listen() whose socket it is. Only root can be another user here; whoever
  // else runs the tests listens as the same user.
  Impostor(const std::string& file, uid_t user)
      : listener_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const std::string name =
        fmt::format("surveybridge/{}/{}", ::geteuid(), mapping::name_uuid(file));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path + 1, name.data(), name.size());
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
    EXPECT_EQ(::bind(listener_, reinterpret_cast<const sockaddr*>(&address), size), 0);
    const uid_t self = ::geteuid();
    EXPECT_EQ(::seteuid(user), 0);
    EXPECT_EQ(::listen(listener_, 4), 0);
    EXPECT_EQ(::seteuid(self), 0);
    thread_ = std::thread([this] {
      const int client = ::accept(listener_, nullptr, nullptr);
      if (client < 0) return;
      ::send(client, "ok\n", 3, MSG_NOSIGNAL);
      ::close(client);
    });
  }
  ~Impostor() {
    ::shutdown(listener_, SHUT_RDWR);
    thread_.join();
    ::close(listener_);
  }
  Impostor(const Impostor&) = delete;
  Impostor& operator=(const Impostor&) = delete;

 private:
  int listener_;
  std::thread thread_;
};

TEST(ControlSocketClient, HearsNobodyElseUnderTheNameOfTheDaemon) {
  const support::TemporaryFolder folder;
  const std::string file = folder.path() + "/surveybridge.toml";
  const bool root = ::geteuid() == 0;
  const Impostor impostor(file, root ? 65534 : ::geteuid());
  EXPECT_EQ(ask_daemon(file, "stuck").has_value(), !root);
}

}  // namespace
}  // namespace surveybridge::daemon
