// A command that an operator types acts with the rights of the installed service: its user, its
// group, its credentials. So peer authentication, files and secrets are those of the daemon, and
// nothing that a command writes belongs to root.
#pragma once

#include <optional>
#include <string>

namespace surveybridge::daemon {

// The account of the package (packaging/surveybridge.sysusers).
inline constexpr const char* kServiceAccount = "surveybridge";

// If the configuration file belongs to the group of the service account, the process gets the
// rights of that account for good: root becomes it; a member of the group asks sudo for it, which
// begins the program anew (packaging/surveybridge.sudoers). Another caller, or a machine without
// sudo, goes on with its own rights. If CREDENTIALS_DIRECTORY is not set and a folder "credentials"
// lies beside the file, it is set to that folder. `argv` is main's. Returns why that is not
// possible, in one sentence; nothing if it was done or was not needed.
std::optional<std::string> enter_service_account(const std::string& config_file, char** argv);

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
