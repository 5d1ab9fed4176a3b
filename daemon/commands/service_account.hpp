// A command that root types acts with the rights of the installed service: its user, its group, its
// credentials. So peer authentication, files and secrets are those of the daemon, and nothing that
// a command writes belongs to root.
#pragma once

#include <optional>
#include <string>

namespace surveybridge::daemon {

// The account of the package (packaging/surveybridge.sysusers).
inline constexpr const char* kServiceAccount = "surveybridge";

// If the caller is root and the configuration file belongs to the group of the service account, the
// process becomes that account for good. If CREDENTIALS_DIRECTORY is not set and a folder
// "credentials" lies beside the file, it is set to that folder.
// Returns why that is not possible, in one sentence; nothing if it was done or was not needed.
std::optional<std::string> enter_service_account(const std::string& config_file);

}  // namespace surveybridge::daemon
