// Files that are part of the program (embed() of CMakeLists.txt).
#pragma once

#include <span>
#include <string_view>

namespace surveybridge::daemon {

struct EmbeddedFile {
  std::string_view name, text;  // its name without the folder
};

// Those of docs/, without CONFIG.md, which is made of the settings.
std::span<const EmbeddedFile> documents();
// packaging/surveybridge.toml, as it was when this was built. Three of its values are empty.
std::span<const EmbeddedFile> shipped_configuration();
// config/examples/templates, in the order of their names.
std::span<const EmbeddedFile> system_template_files();

}  // namespace surveybridge::daemon
