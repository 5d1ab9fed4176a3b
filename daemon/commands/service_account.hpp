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

}  // namespace surveybridge::daemon
