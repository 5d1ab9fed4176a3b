#include "tests/support/generated_section.hpp"

#include <cstdlib>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/support/paths.hpp"
#include "tests/support/temporary_folder.hpp"

namespace support {
namespace {

struct Part {
  std::string page;
  std::size_t begin = 0, size = 0;
};

Part find_part(const std::string& path, const std::string& name) {
  Part part;
  part.page = read_file(path);
  const std::string opening = "<!-- generated: " + name + " -->\n";
  const auto at = part.page.find(opening);
  const auto end = part.page.find("<!-- end of " + name + " -->\n");
  if (at == std::string::npos || end == std::string::npos || end < at) {
    ADD_FAILURE() << path << " has no lines \"generated: " << name << "\" and \"end of " << name
                  << "\"";
    return part;
  }
  part.begin = at + opening.size();
  part.size = end - part.begin;
  return part;
}

}  // namespace

std::string generated_section(const std::string& document, const std::string& name) {
  const Part part = find_part(source_dir() + "/" + document, name);
  return part.page.substr(part.begin, part.size);
}

void expect_section(const std::string& document, const std::string& name, const std::string& made) {
  const std::string path = source_dir() + "/" + document;
  Part part = find_part(path, name);
  const bool is_there = part.begin > 0;
  if (is_there && std::getenv("BRIDGE_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(path) << part.page.replace(part.begin, part.size, made);
    return;
  }
  EXPECT_EQ(part.page.substr(part.begin, part.size), made)
      << document << ": BRIDGE_UPDATE_GOLDEN=1 writes \"" << name << "\" anew";
}

std::string wrapped(const std::string& text, const std::string& indent) {
  constexpr std::size_t kWidth = 140;
  std::istringstream words(text);
  std::string lines, line, before;  // what stands before the next word
  for (std::string word; words >> word; before = " ") {
    if (line.size() + before.size() + word.size() > kWidth) {
      lines += line + "\n";
      line = indent;
      before.clear();
    }
    line += before + word;
  }
  return lines + line + "\n";
}

}  // namespace support
