#include "tests/program/browser/paper.hpp"

#include <sstream>
#include <stdexcept>

#include "tests/support/child_process.hpp"

namespace program {
namespace {

std::string output_of(const std::vector<std::string>& command) {
  const auto done = support::run({command, {}}, std::chrono::seconds(60));
  if (done.status != 0) throw std::runtime_error(command.front() + ": " + done.err);
  return done.out;
}

// The number behind NAME=" in a line of XHTML.
double number_in(const std::string& line, const std::string& name) {
  const auto at = line.find(name + "=\"");
  if (at == std::string::npos) throw std::runtime_error("no " + name + " in " + line);
  return std::stod(line.substr(at + name.size() + 2));
}

std::string text_in(const std::string& line) {
  const auto begin = line.find('>') + 1;
  std::string text = line.substr(begin, line.rfind('<') - begin);
  for (const auto& [name, letter] :
       {std::pair{"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&#39;", "'"}, {"&amp;", "&"}}) {
    for (auto found = text.find(name); found != std::string::npos; found = text.find(name, found))
      text.replace(found++, std::string_view(name).size(), letter);
  }
  return text;
}

}  // namespace

std::vector<PaperPage> pages_of(const std::string& pdf) {
  std::istringstream lines(output_of({"pdftotext", "-bbox", pdf, "-"}));
  std::vector<PaperPage> pages;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("<page ") != std::string::npos)
      pages.push_back({number_in(line, "width"), number_in(line, "height"), {}});
    if (line.find("<word ") == std::string::npos) continue;
    pages.back().words.push_back({number_in(line, "xMin"), number_in(line, "yMin"),
                                  number_in(line, "xMax"), number_in(line, "yMax"), text_in(line)});
  }
  return pages;
}

std::string facts_of(const std::string& pdf) {
  return output_of({"pdfinfo", pdf});
}

}  // namespace program
