// `write-back`: all stored records of a list are written into the CRM once more, by the running
// daemon or the next `sync`.
#include <algorithm>

#include <fmt/format.h>

#include "connectors/crm/daemon_state/overview.hpp"
#include "connectors/crm/pulled/write_mark.hpp"
#include "daemon/commands/command_context.hpp"
#include "daemon/commands/commands.hpp"
#include "daemon/commands/print_json.hpp"

namespace surveybridge::daemon {

ExitCode command_write_back(const Invocation& invocation) {
  return with_context(invocation, [&](const CommandContext& command) {
    const auto& pulls = command.settings.pulls;
    const auto pull = std::ranges::find(pulls, invocation.name, &config::Pull::name);
    if (pull == pulls.end() || pull->writes.empty()) {
      report_error("there is no [[pull." + invocation.name + ".write]]");
      return kUsage;
    }
    const auto database = command.looking.open_database();
    if (crm::tables_to_read(*database) == crm::Tables::none) {
      report_error("the bridge has not run on this database yet");
      return kNeedsPerson;
    }
    crm::Transaction transaction(*database);
    crm::WriteMarks(*database, pull->name).begin_anew();
    transaction.commit();
    if (invocation.json)
      print_json({{"list", pull->name}, {"tables", array_of(pull->writes, [](const auto& write) {
                                           return Json(write.table);
                                         })}});
    else
      fmt::print("all stored {} will be written again by the daemon or the next `sync`\n",
                 pull->name);
    return kDone;
  });
}

}  // namespace surveybridge::daemon
