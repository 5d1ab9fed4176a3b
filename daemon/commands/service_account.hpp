// A command that an operator types acts with the rights of the installed service: its user, its
// group, its credentials. So peer authentication, files and secrets are those of the daemon, and
// nothing that a command writes belongs to root.
#pragma once

#include <optional>
#include <string>

namespace surveybridge::daemon {

// The account of the package (packaging/surveybridge.sysusers).
inline constexpr const char* kServiceAccount = "surveybridge";

// Members of this group may have the program begun as that account, by sudo. They read neither its
// configuration nor its secrets.
inline constexpr const char* kOperators = "surveybridge-operators";

// The process gets the rights of the service account for good: root, if the configuration file
// belongs to that account's group; a member of kOperators, if it lies in /etc/surveybridge, by
// sudo, which begins the program anew (packaging/surveybridge.sudoers). Another caller, or a
// machine without sudo, goes on with its own rights. See fault_in_configuration(). If
// CREDENTIALS_DIRECTORY is not set and a folder "credentials" lies beside the file, it is set to
// that folder. `argv` is main's. Returns why that is not possible, in one sentence; nothing if it
// was done or was not needed.
std::optional<std::string> enter_service_account(const std::string& config_file, char** argv);

// Has a member of kOperators begun this process by sudo?
bool is_begun_by_sudo();

// Why root or the service account must not do what this file says, in one sentence: another account
// may write the file or its folder, or the program was begun by sudo for a file that root does not
// keep in /etc/surveybridge. Nothing where neither of them runs.
std::optional<std::string> fault_in_configuration(const std::string& file);

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

}  // namespace surveybridge::daemon
