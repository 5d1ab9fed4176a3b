// `manual`: writes manual pages and completions into a folder, for a package. Not in --help.
#include <filesystem>
#include <fstream>

#include "config/sections/description.hpp"
#include "daemon/commands/command_context.hpp"
#include "daemon/commands/manual.hpp"

namespace surveybridge::daemon {

namespace {

namespace fs = std::filesystem;

bool write(const fs::path& file, const std::string& text) {
  std::error_code ignored;
  fs::create_directories(file.parent_path(), ignored);
  std::ofstream out(file);
  out << text;
  if (out.flush().good()) return true;
  report_error("cannot write " + file.string());
  return false;
}

}  // namespace

ExitCode write_manual(const ProgramText& program, const std::string& folder) {
  const fs::path root(folder);
  const std::string& name = program.name;
  bool written =
      write(root / "man1" / (name + ".1"), man_page(program)) &&
      write(root / "man5" / (name + ".toml.5"), man_page(program, config::description())) &&
      write(root / "bash" / name, bash_completion(program)) &&
      write(root / "zsh" / ("_" + name), zsh_completion(program)) &&
      write(root / "fish" / (name + ".fish"), fish_completion(program));
  for (const auto& command : program.commands)
    written = written &&
              write(root / "man1" / (name + "-" + command.name + ".1"), man_page(program, command));
  return written ? kDone : kNeedsPerson;
}

}  // namespace surveybridge::daemon
