// `help WORD`: what the commands, the settings and the documents have about a topic. Pure.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/commands/manual.hpp"

namespace surveybridge::daemon {

struct Document {
  std::string_view name, text;  // "RUNBOOK.md", Markdown
};
// Those of docs/, without CONFIG.md, which is made of the settings (CMakeLists.txt).
std::span<const Document> documents();

// The commands, settings and sections in which every word begins a word, whatever its case; those
// that are named so come first. Lines for a terminal; empty: there are none.
std::string help_about(const std::vector<std::string>& words, const ProgramText& program);

}  // namespace surveybridge::daemon
