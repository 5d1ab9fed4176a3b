// A PDF as poppler's programs read it: its pages with the places of their words.
#pragma once

#include <string>
#include <vector>

namespace program {

struct PaperWord {
  double left, top, right, bottom;  // in points, from the page's upper left corner
  std::string text;
};

struct PaperPage {
  double width, height;  // in points
  std::vector<PaperWord> words;
};

// Throw std::runtime_error where the file is no PDF.
std::vector<PaperPage> pages_of(const std::string& pdf);
// What pdfinfo says.
std::string facts_of(const std::string& pdf);

}  // namespace program
