// Who types a command: what the ledger keeps of a person who decides.
#pragma once

#include <string>

namespace surveybridge::daemon {

// The user of this process by the kernel, the caller of sudo, the user who logged in, and the
// terminal; a text that is not known is empty.
struct OperatorFacts {
  std::string user, sudo, login, terminal;
};

// To be called before the process takes the rights of another user. `login_file` is the kernel's
// /proc/self/loginuid.
OperatorFacts operator_facts(const std::string& login_file = "/proc/self/loginuid");

// "ann on pts/3", "root (sudo by ann) on pts/3", "surveybridge (sudo by ann, login bob)": at most
// 180 bytes of well-formed UTF-8 without control characters, whatever the facts hold.
std::string operator_name(const OperatorFacts& facts);

}  // namespace surveybridge::daemon
