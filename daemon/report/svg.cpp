#include "daemon/report/svg.hpp"

#include <fmt/format.h>

#include "daemon/report/html_text.hpp"

namespace surveybridge::daemon {

namespace {

const char* name_of(Svg::Anchor anchor) {
  switch (anchor) {
    case Svg::Anchor::middle:
      return "middle";
    case Svg::Anchor::end:
      return "end";
    case Svg::Anchor::start:
      break;
  }
  return "start";
}

// The end of an element, with a tooltip where there is one.
std::string end_of(std::string_view element, std::string_view whole) {
  if (whole.empty()) return "/>\n";
  return fmt::format("><title>{}</title></{}>\n", escaped(whole), element);
}

}  // namespace

std::string at(double coordinate) {
  std::string text = fmt::format("{:.1f}", coordinate == 0 ? 0.0 : coordinate);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text;
}

Svg::Svg(std::string_view id, std::string_view title, std::string_view description, double height)
    : markup_(fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-labelledby=\"{}-t {}-d\">"
                          "<title id=\"{}-t\">{}</title><desc id=\"{}-d\">{}</desc>\n",
                          at(kPictureWidth), at(height), id, id, id, escaped(title), id,
                          escaped(description))) {}

Svg& Svg::text(double x, double y, std::string_view shown, Anchor anchor, std::string_view style) {
  markup_ += fmt::format(
      "<text x=\"{}\" y=\"{}\"{}{}>{}</text>\n", at(x), at(y),
      anchor == Anchor::start ? std::string() : fmt::format(" text-anchor=\"{}\"", name_of(anchor)),
      style.empty() ? std::string() : fmt::format(" class=\"{}\"", style), escaped(shown));
  return *this;
}

Svg& Svg::line(double x1, double y1, double x2, double y2, std::string_view style) {
  markup_ += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" class=\"{}\"/>\n", at(x1),
                         at(y1), at(x2), at(y2), style);
  return *this;
}

Svg& Svg::rectangle(double x, double y, double width, double height, std::string_view style,
                    std::string_view whole) {
  markup_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" class=\"{}\"", at(x),
                         at(y), at(width), at(height), style) +
             end_of("rect", whole);
  return *this;
}

Svg& Svg::dot(double x, double y, double radius, std::string_view whole) {
  markup_ +=
      fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" class=\"dot\"", at(x), at(y), at(radius)) +
      end_of("circle", whole);
  return *this;
}

Svg& Svg::polyline(std::string_view points, std::string_view style) {
  markup_ += fmt::format("<polyline points=\"{}\" class=\"{}\"/>\n", points, style);
  return *this;
}

Svg& Svg::polygon(std::string_view points, std::string_view style) {
  markup_ += fmt::format("<polygon points=\"{}\" class=\"{}\"/>\n", points, style);
  return *this;
}

std::string Svg::take() {
  return std::move(markup_) + "</svg>\n";
}

}  // namespace surveybridge::daemon
