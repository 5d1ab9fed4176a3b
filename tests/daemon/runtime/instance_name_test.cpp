// A process's name, and whether the process it names has ended.
#include "daemon/runtime/instance_name.hpp"

#include <csignal>
#include <string>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace surveybridge::daemon {
namespace {

// This process's name with another process's id in it.
std::string with_pid(const std::string& name, pid_t pid) {
  const auto first = name.find('.'), second = name.find('.', first + 1);
  return name.substr(0, first + 1) + std::to_string(pid) + name.substr(second);
}

TEST(InstanceName, TellsThatThisProcessIsThere) {
  const std::string name = instance_name("0123");
  EXPECT_TRUE(name.starts_with("0123@")) << name;
  EXPECT_FALSE(has_ended(name));
  EXPECT_FALSE(has_ended(name + "-orders"));
  EXPECT_LE(name.size(), 60u) << "it is part of keys of 190 bytes";
}

TEST(InstanceName, TellsTheProcessIdOfThisKernelsProcessesOnly) {
  const std::string name = instance_name("0123");
  EXPECT_EQ(pid_here(name + "-orders"), getpid());
  EXPECT_EQ(pid_here("0123@0000000000000000.1.2"), std::nullopt);
  EXPECT_EQ(pid_here("0123"), std::nullopt);
}

// What a child calls itself, and the child: it lives until it is killed.
struct Child {
  Child() {
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    pid = fork();
    if (pid == 0) {
      const std::string own = instance_name("child");
      if (write(ends[1], own.data(), own.size()) < 0) _exit(1);
      close(ends[1]);
      for (;;)
        pause();
    }
    close(ends[1]);
    char text[200];
    const auto size = read(ends[0], text, sizeof text);
    name.assign(text, size > 0 ? static_cast<std::size_t>(size) : 0);
    close(ends[0]);
  }
  pid_t pid = 0;
  std::string name;
};

TEST(InstanceName, TellsThatAKilledProcessHasEndedBeforeAndAfterItIsWaitedFor) {
  const Child child;
  EXPECT_FALSE(has_ended(child.name)) << child.name;
  kill(child.pid, SIGKILL);
  siginfo_t info{};
  waitid(P_PID, static_cast<id_t>(child.pid), &info, WEXITED | WNOWAIT);
  EXPECT_TRUE(has_ended(child.name)) << "a process that nobody waited for yet";
  EXPECT_TRUE(has_ended(child.name + "-orders"));
  waitpid(child.pid, nullptr, 0);
  EXPECT_TRUE(has_ended(child.name));
}

TEST(InstanceName, TellsAProcessFromALaterOneWithItsId) {
  std::string name = instance_name("0123");
  name.back() = name.back() == '1' ? '2' : '1';
  EXPECT_TRUE(has_ended(name)) << name;
}

TEST(InstanceName, SaysNothingOfWhatItCannotKnow) {
  const std::string name = instance_name("0123");
  std::string elsewhere = with_pid(name, 2'000'000'000);
  ASSERT_TRUE(has_ended(elsewhere)) << "here there is no such process";
  elsewhere[5] = elsewhere[5] == 'a' ? 'b' : 'a';  // another kernel
  EXPECT_FALSE(has_ended(elsewhere));
  for (const char* odd : {"", "one", "0123", "@", "x@", "x@.1.1", "x@k.1", "x@k..1", "x@k.-1.1",
                          "x@k.99999999999999999999.1"})
    EXPECT_FALSE(has_ended(odd)) << odd;
}

}  // namespace
}  // namespace surveybridge::daemon
