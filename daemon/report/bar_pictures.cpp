#include <algorithm>

#include <fmt/format.h>

#include "daemon/report/data_text.hpp"
#include "daemon/report/pictures.hpp"
#include "daemon/report/svg.hpp"

namespace surveybridge::daemon {

namespace {

double number_in(const std::vector<ReportCell>& row, std::size_t column) {
  return row.at(column).numbers.at(0).value_or(0);
}

double largest_of(const ReportTable& table) {
  double largest = 0;
  for (const auto& row : table.rows)
    largest = std::max(largest, number_in(row, 1));
  return largest;
}

std::string number_and_part(const std::vector<ReportCell>& row) {
  return row[1].text + " · " + row[2].text;
}

// Every row as a sentence, for those who do not see the picture.
std::string description_of(const ReportTable& table) {
  std::string text;
  for (const auto& row : table.rows)
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", row[0].text, row[1].text);
  return text;
}

// The groups of a spread from the best to the worst: full, light, hatched.
std::string style_of(std::size_t group, std::size_t groups) {
  if (groups == 0 || group + 1 == groups) return "bar";
  return group + 2 == groups ? "bar light" : "bar open";
}

void draw_legend(Svg& svg, const std::vector<std::string>& groups, double y) {
  double x = 0;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    svg.rectangle(x, y - 9, 12, 10, style_of(i, groups.size()));
    svg.text(x + 17, y, groups[i], Svg::Anchor::start, "soft");
    x += 36 + 6.2 * static_cast<double>(groups[i].size());
  }
}

}  // namespace

std::string funnel_picture(const ReportTable& steps) {
  constexpr double kRow = 38;
  const double largest = largest_of(steps);
  if (largest <= 0) return "";
  Svg svg("p-" + steps.id, steps.caption, description_of(steps),
          kRow * static_cast<double>(steps.rows.size()));
  double y = 0;
  for (const auto& row : steps.rows) {
    svg.text(0, y + 13, row[0].text);
    svg.text(kPictureWidth, y + 13, number_and_part(row), Svg::Anchor::end);
    svg.rectangle(0, y + 18, kPictureWidth, 12, "track");
    svg.rectangle(0, y + 18, kPictureWidth * number_in(row, 1) / largest, 12, "bar");
    y += kRow;
  }
  return svg.take();
}

std::string spread_picture(const ReportTable& spread) {
  constexpr double kRow = 21, kLeft = 66, kRight = 250;
  const double largest = largest_of(spread);
  if (spread.measure == nullptr || largest <= 0) return "";
  const Bars& bars = spread.measure->spread;
  const bool legend = !bars.groups.empty();
  const double height = kRow * static_cast<double>(spread.rows.size());
  Svg svg("p-" + spread.id, spread.caption, description_of(spread), height + (legend ? 24 : 2));
  double y = 0;
  for (std::size_t i = 0; i < spread.rows.size(); ++i) {
    const auto& row = spread.rows[i];
    const double wide = (kRight - kLeft) * number_in(row, 1) / largest;
    svg.text(kLeft - 8, y + 14, cut(row[0].text, 11), Svg::Anchor::end);
    if (wide > 0)
      svg.rectangle(kLeft, y + 3, std::max(wide, 1.0), 14,
                    style_of(bars.bars.at(i).group, bars.groups.size()));
    svg.text(kLeft + wide + 6, y + 14, number_and_part(row), Svg::Anchor::start, "soft");
    y += kRow;
  }
  svg.line(kLeft, 0, kLeft, height, "base");
  if (legend) draw_legend(svg, bars.groups, height + 18);
  return svg.take();
}

}  // namespace surveybridge::daemon
