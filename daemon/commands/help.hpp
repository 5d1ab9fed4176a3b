// `help WORD`: what the commands, the settings and the documents have about a topic. Pure.
#pragma once

#include <string>
#include <vector>

#include "daemon/commands/manual.hpp"

namespace surveybridge::daemon {

// The commands, settings and sections in which every word begins a word, whatever its case; those
// that are named so come first. A usual word for what has another name here ("duplicate") is
// searched by that name, too. Lines for a terminal; empty: there are none.
std::string help_about(const std::vector<std::string>& words, const ProgramText& program);

}  // namespace surveybridge::daemon
