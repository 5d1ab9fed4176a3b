// `test`: the mapping tests of a file, without database and service.

#include <fmt/format.h>

#include "config/file.hpp"
#include "config/sections/load.hpp"
#include "daemon/commands/command_context.hpp"
#include "daemon/commands/commands.hpp"
#include "daemon/commands/mapping_tests.hpp"
#include "daemon/commands/offline.hpp"
#include "daemon/commands/print_json.hpp"
#include "daemon/commands/service_account.hpp"
#include "daemon/job/length_text.hpp"
#include "daemon/runtime/real_environment.hpp"

namespace surveybridge::daemon {

namespace {

constexpr std::size_t kTestFileBytes = 1024 * 1024;

ExitCode refuse_all(const std::vector<config::Problem>& problems, ExitCode code) {
  for (const auto& problem : problems)
    report_problem(to_string(problem));
  return code;
}

std::string quoted_or_nothing(const std::optional<std::string>& text) {
  return text ? "\"" + one_line(*text) + "\"" : "nothing";
}

Json json_of_tests(const std::string& file, const MappingTested& tested) {
  return {{"file", file},
          {"tests", tested.tests},
          {"failed", array_of(tested.faults, [](const MappingFault& fault) -> Json {
             return {{"test", fault.test},
                     {"line", fault.place.line},
                     {"field", fault.field},
                     {"expected", or_null(fault.expected.value_or(""))},
                     {"found", or_null(fault.found.value_or(""))}};
           })}};
}

void print_tested(const MappingTested& tested) {
  for (const auto& [test, place, field, expected, found] : tested.faults)
    fmt::print("{}:{}: {}: {}: expected {}, found {}\n", place.file, place.line, one_line(test),
               one_line(field), quoted_or_nothing(expected), quoted_or_nothing(found));
  fmt::print("{}: {}\n", counted(static_cast<std::int64_t>(tested.tests), "test"),
             tested.faults.empty() ? "ok" : counted(std::ssize(tested.faults), "difference"));
}

}  // namespace

ExitCode command_test(const Invocation& invocation) {
  const std::string& file = invocation.name;
  if (const auto fault = fault_by_sudo(file)) {
    report_error("test: " + *fault);
    return kConfiguration;
  }
  const auto loaded = config::load(invocation.config);
  if (const auto* problems = std::get_if<std::vector<config::Problem>>(&loaded))
    return refuse_all(*problems, kConfiguration);
  const auto& settings = std::get<config::Settings>(loaded);
  if (const auto problems = offline_problems(settings); !problems.empty())
    return refuse_all(problems, kConfiguration);
  const auto text = config::read_file(file, kTestFileBytes);
  if (const auto* refused = std::get_if<config::FileRefused>(&text)) {
    report_error(file + " " + refused->why);
    return kUsage;
  }
  const auto tested =
      run_mapping_tests(std::get<config::FileText>(text).text, file, settings, system_now());
  if (const auto* problems = std::get_if<std::vector<config::Problem>>(&tested))
    return refuse_all(*problems, kUsage);
  const auto& done = std::get<MappingTested>(tested);
  if (invocation.json)
    print_json(json_of_tests(file, done));
  else
    print_tested(done);
  return done.faults.empty() ? kDone : kNeedsPerson;
}

}  // namespace surveybridge::daemon
