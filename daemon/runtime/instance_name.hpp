// The name of this process among all that share a database: unique for ever, and it tells on which
// kernel the process runs, as which process id and since when. So another instance on that kernel
// knows at once that this one has ended, however it ended.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace surveybridge::daemon {

// Of this machine; empty: it is not known.
std::string host_name();

// `id` is unique; the rest describes this process. What is not known is left out.
std::string instance_name(const std::string& id);

// The process of this name ran on this kernel, and is not there any more. False wherever that is
// not certain: another machine or container, a process that may not be looked at, another kind of
// name. What stands behind the name's own parts ("…-orders") makes no difference.
bool has_ended(std::string_view instance);

// The process id in a name that was made on this kernel; empty: of another machine or container.
std::optional<int> pid_here(std::string_view instance);

}  // namespace surveybridge::daemon
