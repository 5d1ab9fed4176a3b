#include "daemon/report/pictures.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>

namespace surveybridge::daemon {

namespace {

constexpr double kPictureWidth = 360;

// A coordinate: "12.5".
std::string units(double coordinate) {
  std::string text = fmt::format("{:.1f}", coordinate == 0 ? 0.0 : coordinate);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text;
}

std::string xy(double x, double y) {
  return units(x) + "," + units(y) + " ";
}

// One picture, drawn with the classes of page.cpp, so that it follows the page's colours.
// Coordinates are units of the view box: the picture is 360 wide and is scaled to its place, on a
// phone about 1 : 1. Texts may be anything; they are escaped here. `anchor`: "start", "middle",
// "end". `tooltip` empty: none.
class Svg {
 public:
  // `table`: its id and caption name the picture. A screen reader says the description, too.
  Svg(const ReportTable& table, std::string_view description, double height)
      : markup_(fmt::format(
            "<svg viewBox=\"0 0 {0} {1}\" role=\"img\" aria-labelledby=\"p-{2}-t p-{2}-d\">"
            "<title id=\"p-{2}-t\">{3}</title><desc id=\"p-{2}-d\">{4}</desc>\n",
            units(kPictureWidth), units(height), table.id, escaped(table.caption),
            escaped(description))) {}

  void text(double x, double y, std::string_view shown, const char* anchor, const char* style) {
    markup_ += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"{}\" class=\"{}\">{}</text>\n",
                           units(x), units(y), anchor, style, escaped(shown));
  }
  void line(double x1, double y1, double x2, double y2, const char* style) {
    markup_ += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" class=\"{}\"/>\n",
                           units(x1), units(y1), units(x2), units(y2), style);
  }
  void rectangle(double x, double y, double width, double height, const char* style,
                 std::string_view tooltip = "") {
    markup_ +=
        fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" class=\"{}\">{}</rect>\n",
                    units(x), units(y), units(width), units(height), style, title_of(tooltip));
  }
  void dot(double x, double y, double radius, const char* style, std::string_view tooltip) {
    markup_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" class=\"{}\">{}</circle>\n",
                           units(x), units(y), units(radius), style, title_of(tooltip));
  }
  // `points`: "x,y x,y …".
  void shape(const char* element, std::string_view points, const char* style) {
    markup_ += fmt::format("<{} points=\"{}\" class=\"{}\"/>\n", element, points, style);
  }

  std::string take() { return std::move(markup_) + "</svg>\n"; }

 private:
  static std::string title_of(std::string_view tooltip) {
    return tooltip.empty() ? "" : fmt::format("<title>{}</title>", escaped(tooltip));
  }

  std::string markup_;
};

// 1, 2 or 5 times a power of ten, so that at most five steps make the span.
double step_of(double span) {
  constexpr double kMostSteps = 5;
  const double power = std::pow(10, std::floor(std::log10(span / kMostSteps)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power * kMostSteps >= span * (1 - 1e-9)) return factor * power;
  return 10 * power;
}

// "30 %", "-20", "4.5".
std::string tick_text(double tick, Unit unit) {
  if (unit != Unit::mean) return number_text(tick, unit, tick == std::round(tick) ? 0 : 1);
  return plain_number(std::round(tick * 100) / 100);
}

// A row of a table. Without a value it is not drawn. A count has no tooltip.
struct Point {
  std::string name;
  std::optional<double> value;
  double low = 0, high = 0;
  std::string text, tooltip;
  bool so_far = false;  // it stands beside the line
};

bool has_figures(const ReportTable& table) {
  return table.section == ReportSection::time || table.section == ReportSection::segments;
}

// Of a measure's figures, whose last cells are the value and its interval; or of a number and its
// share.
Point point_of(const ReportTable& table, const std::vector<ReportCell>& row) {
  const std::string& name = row.front().text;
  if (!has_figures(table)) {
    const double number = row.at(1).numbers.at(0).value_or(0);
    return {name, number, number, number, row[1].text + " · " + row.at(2).text, ""};
  }
  const ReportCell &shown = row.at(row.size() - 2), &interval = row.back();
  const double value = shown.numbers.at(0).value_or(0);
  return {name, shown.numbers.at(0), interval.numbers.at(0).value_or(value),
          interval.numbers.at(1).value_or(value),
          interval.text.empty() ? shown.text : shown.text + " (" + interval.text + ")",
          // "2026-09-07: 30 %, 27–33 %, n 120".
          fmt::format("{}: {}, {}, n {}", cut(name, 60), shown.text, interval.text, row[1].text)};
}

std::vector<Point> points_of(const ReportTable& table, std::size_t most) {
  std::vector<Point> points;
  for (std::size_t i = 0; i < std::min(most, table.rows.size()); ++i)
    points.push_back(point_of(table, table.rows[i]));
  if (table.section == ReportSection::time)
    for (std::size_t i = 0; i < points.size(); ++i)
      points[i].so_far = table.measure->periods.at(i).so_far;
  return points;
}

std::int64_t shown_points(const std::vector<Point>& points) {
  return std::ranges::count_if(points, [](const Point& point) { return point.value.has_value(); });
}

// For those who do not see the picture. `things`: of figures; counts are said one by one.
std::string description_of(const ReportTable& table, const std::vector<Point>& points,
                           const char* things) {
  std::string text;
  if (!has_figures(table)) {
    for (const auto& row : table.rows)
      text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", row[0].text, row[1].text);
    return text;
  }
  text = fmt::format("{} of {} {} have enough answers to be shown.", shown_points(points),
                     points.size(), things);
  const Estimate& total = table.measure->total;
  if (total.value) text += fmt::format(" All together: {} ({}).", total.text, total.interval_text);
  return text + " The table below has every number.";
}

// From the lowest to the highest of what is drawn: the points, the figure of all, and `base`.
mapping::Interval reach_of(const ReportTable& table, const std::vector<Point>& points,
                           std::optional<double> base) {
  std::vector<double> ends;
  if (base) ends.push_back(*base);
  if (has_figures(table) && table.measure->total.value) ends.push_back(*table.measure->total.value);
  for (const auto& point : points)
    if (point.value) ends.insert(ends.end(), {point.low, point.high});
  const auto [low, high] = std::ranges::minmax(ends);
  return {low, high};
}

// Where the picture over time lies in its view box.
struct Field {
  double left = 44, right = 318, top = 10, bottom = 160;
  const Axis& axis;
  std::size_t count;

  double x(std::size_t i) const {
    return left + (right - left) * (static_cast<double>(i) + 0.5) / static_cast<double>(count);
  }
  double y(double value) const { return bottom - (bottom - top) * axis.place(value); }
};

// The points from `first` on that have a value, one after the other, or one that stands alone.
void draw_run(Svg& svg, const Field& field, const std::vector<Point>& points, std::size_t first,
              std::size_t end) {
  if (end - first == 1) {
    const double x = field.x(first);
    svg.line(x, field.y(points[first].low), x, field.y(points[first].high), "whisker");
    return;
  }
  std::string above, below, middle;
  for (std::size_t i = first; i < end; ++i) {
    above += xy(field.x(i), field.y(points[i].high));
    middle += xy(field.x(i), field.y(*points[i].value));
    const std::size_t back = end - 1 - (i - first);
    below += xy(field.x(back), field.y(points[back].low));
  }
  svg.shape("polygon", above + below, "band");
  svg.shape("polyline", middle, "curve");
}

void draw_curve(Svg& svg, const Field& field, const std::vector<Point>& points) {
  for (std::size_t i = 0; i < points.size();) {
    std::size_t end = i;
    while (end < points.size() && points[end].value && !points[end].so_far)
      ++end;
    if (end > i) draw_run(svg, field, points, i, end);
    if (end < points.size() && points[end].so_far) draw_run(svg, field, points, end, end + 1);
    i = end + 1;
  }
  for (std::size_t i = 0; i < points.size(); ++i)
    if (points[i].value)
      svg.dot(field.x(i), field.y(*points[i].value), points.size() > 40 ? 1.6 : 3,
              points[i].so_far ? "dot open" : "dot", points[i].tooltip);
}

std::string line_picture(const ReportTable& table) {
  const auto points = points_of(table, table.rows.size());
  if (shown_points(points) < 2) return "";
  const Measure& measure = *table.measure;
  // A rate begins at zero. A mean's interval can leave its scale. The smallest span: a fifth of
  // what is possible.
  const auto reach =
      reach_of(table, points, measure.kind.empty() ? std::optional(0.0) : std::nullopt);
  const auto& range = measure.range;
  const Axis axis =
      axis_of(reach, {std::min(range.low, reach.low), std::max(range.high, reach.high)},
              (range.high - range.low) / 5);
  const Field field{.axis = axis, .count = points.size()};
  Svg svg(table, description_of(table, points, "periods"), field.bottom + 26);
  for (const double tick : axis.ticks) {
    svg.line(field.left, field.y(tick), field.right, field.y(tick), "grid");
    svg.text(field.left - 6, field.y(tick) + 4, tick_text(tick, measure.unit), "end", "soft");
  }
  if (measure.total.value) {
    const double y = field.y(*measure.total.value);
    svg.line(field.left, y, field.right, y, "total");
    svg.text(field.right + 4, y - 1, "all", "start", "soft");
    svg.text(field.right + 4, y + 12, measure.total.text, "start", "strong");
  }
  draw_curve(svg, field, points);
  svg.line(field.left, field.bottom, field.right, field.bottom, "base");
  // At most five labels, the first always.
  const bool year = points.front().name.substr(0, 4) != points.back().name.substr(0, 4);
  for (std::size_t i = 0; i < points.size(); i += (points.size() + 4) / 5) {
    svg.line(field.x(i), field.bottom, field.x(i), field.bottom + 4, "base");
    svg.text(field.x(i), field.bottom + 18, isolated(day_label(points[i].name, year)), "middle",
             "soft");
  }
  return svg.take();
}

// Where bars lie: the name is at the left, the value at the right.
constexpr double kBarRow = 22, kBarsLeft = 118, kBarsRight = 228;

// What the bars of counts stand for, from the best to the worst: full, light, hatched.
const char* style_of(std::size_t group, std::size_t groups) {
  if (groups == 0 || group + 1 == groups) return "bar";
  return group + 2 == groups ? "bar light" : "bar open";
}

// From where bars grow to the end of the longest: from zero, or from the end of a scale without it.
struct BarScale {
  double base;
  mapping::Interval reach;

  double x(double value) const {
    const double width = reach.high - reach.low;
    return width > 0 ? kBarsLeft + (kBarsRight - kBarsLeft) * (value - reach.low) / width
                     : kBarsLeft;
  }
};

// A figure has the line of its interval through the end of its bar.
void draw_bar(Svg& svg, const BarScale& scale, const Point& point, double y, const char* style) {
  svg.text(0, y + 14, isolated(cut(point.name, 16)), "start", "name");
  svg.text(kPictureWidth, y + 14, point.text, "end", "soft");
  if (!point.value || (*point.value == 0 && point.tooltip.empty())) return;
  const double from = scale.x(scale.base), to = scale.x(*point.value);
  svg.rectangle(std::min(from, to), y + 3, std::max(std::abs(to - from), 1.0), 14, style,
                point.tooltip);
  if (point.low == point.high) return;
  svg.line(scale.x(point.low), y + 10, scale.x(point.high), y + 10, "whisker");
  for (const double end : {point.low, point.high})
    svg.line(scale.x(end), y + 6, scale.x(end), y + 14, "whisker");
}

std::string bar_picture(const ReportTable& table) {
  const auto points = points_of(table, kPictureBars);
  const bool figures = has_figures(table);
  const double base =
      figures ? std::max(table.measure->range.low, std::min(0.0, table.measure->range.high)) : 0;
  const BarScale scale{base, reach_of(table, points, base)};
  if (shown_points(points) == 0 || (!figures && scale.reach.high <= 0)) return "";
  const bool spread = table.section == ReportSection::answers;
  const std::vector<std::string> groups =
      spread ? table.measure->spread.groups : std::vector<std::string>{};
  const double top = figures ? 20 : 0;
  const double bottom = top + kBarRow * static_cast<double>(points.size());
  Svg svg(table,
          description_of(table, points,
                         table.rows.size() > points.size() ? "largest segments" : "segments"),
          bottom + (groups.empty() ? 2 : 24));
  for (std::size_t i = 0; i < points.size(); ++i) {
    const char* style = figures  ? "bar light"
                        : spread ? style_of(table.measure->spread.bars.at(i).group, groups.size())
                                 : "bar";
    draw_bar(svg, scale, points[i], top + kBarRow * static_cast<double>(i), style);
  }
  svg.line(scale.x(base), top, scale.x(base), bottom, "base");
  if (figures && table.measure->total.value) {
    const double x = scale.x(*table.measure->total.value);
    svg.line(x, top, x, bottom, "total");
    svg.text(x, top - 6, "all " + table.measure->total.text, "middle", "strong");
  }
  double x = 0;  // of the legend
  for (std::size_t i = 0; i < groups.size(); ++i) {
    svg.rectangle(x, bottom + 9, 12, 10, style_of(i, groups.size()));
    svg.text(x + 17, bottom + 18, groups[i], "start", "soft");
    x += 36 + 6.2 * static_cast<double>(groups[i].size());
  }
  return svg.take();
}

std::string month_of(const std::chrono::year_month_day& day) {
  constexpr std::array kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                  "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  return kMonths.at(static_cast<unsigned>(day.month()) - 1);
}

}  // namespace

double Axis::place(double value) const {
  return high > low ? std::clamp((value - low) / (high - low), 0.0, 1.0) : 0.5;
}

Axis axis_of(const mapping::Interval& values, const mapping::Interval& range, double span) {
  const double widest = range.high - range.low;
  if (widest <= 0) return {range.low - 0.5, range.low + 0.5, {range.low}};
  const double wide = std::min(widest, std::max(span, values.high - values.low));
  const double middle = (values.low + values.high) / 2;
  double low = std::clamp(middle - wide / 2, range.low, std::max(range.low, range.high - wide));
  double high = low + wide;
  const double step = step_of(wide);
  low = std::max(range.low, std::floor(low / step + 1e-9) * step);
  high = std::min(range.high, std::ceil(high / step - 1e-9) * step);
  Axis axis{low, high, {}};
  for (double tick = std::ceil(low / step - 1e-9) * step; tick <= high + step * 1e-6; tick += step)
    axis.ticks.push_back(std::abs(tick) < step * 1e-6 ? 0 : tick);
  return axis;
}

std::string day_label(const std::string& day, bool year) {
  const auto read = day_in(day);
  if (!read) return cut(day, 10);
  const std::string label =
      fmt::format("{} {}", static_cast<unsigned>(read->day()), month_of(*read));
  return year ? label + " ’" + day.substr(2, 2) : label;
}

std::string month_text(const std::string& day) {
  const auto read = day_in(day);
  return read ? month_of(*read) + " " + day.substr(0, 4) : day;
}

std::string picture_of(const ReportTable& table) {
  if (table.picture == ReportTable::Picture::none) return "";
  return table.picture == ReportTable::Picture::bars ? bar_picture(table) : line_picture(table);
}

}  // namespace surveybridge::daemon
