// Who types a command, which the ledger keeps of a person who decides; and with which rights it
// acts. A command that an operator types acts with the rights of the installed service: its user,
// its group, its credentials. So peer authentication, files and secrets are those of the daemon,
// and nothing that a command writes belongs to root.
#pragma once

#include <optional>
#include <string>

#include "config/file.hpp"

namespace surveybridge::daemon {

using config::kServiceAccount;

// Members of this group may have the program begun as that account, by sudo. They read neither its
// configuration nor its secrets.
inline constexpr const char* kOperators = "surveybridge-operators";

// The process gets the rights of the service account for good: root, if the configuration file
// belongs to that account's group; a member of kOperators, if it lies in /etc/surveybridge, by
// sudo, which begins the program anew (packaging/surveybridge.sudoers). Another caller, or a
// machine without sudo, goes on with its own rights. See fault_by_sudo(). If
// CREDENTIALS_DIRECTORY is not set and a folder "credentials" lies beside the file, it is set to
// that folder. `argv` is main's. Returns why that is not possible, in one sentence; nothing if it
// was done or was not needed.
std::optional<std::string> enter_service_account(const std::string& config_file, char** argv);

// Has a member of kOperators begun this process by sudo?
bool is_begun_by_sudo();

// Why the service account must not do what this file says: the program was begun by sudo, and the
// file is typed as no file of /etc/surveybridge, which only root writes. Who may have written it is
// asked when it is read (config/file.hpp).
std::optional<std::string> fault_by_sudo(const std::string& file);

// The last part of it alone: the folder of credentials.
std::optional<std::string> use_credentials_beside(const std::string& config_file);

// While it lives, root acts with the rights of the service account, if the folder of the file
// belongs to its group. Other callers keep their own rights.
class ActingAsService {
 public:
  explicit ActingAsService(const std::string& config_file);
  ~ActingAsService();
  ActingAsService(const ActingAsService&) = delete;
  ActingAsService& operator=(const ActingAsService&) = delete;

 private:
  bool acting_ = false;
};

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
