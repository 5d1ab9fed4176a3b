#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "daemon/report/axis.hpp"
#include "daemon/report/data_text.hpp"
#include "daemon/report/pictures.hpp"
#include "daemon/report/svg.hpp"

namespace surveybridge::daemon {

namespace {

// A row of a measure's table. Without a value it is not drawn.
struct Point {
  std::string name, n, text;
  std::optional<double> value;
  double low = 0, high = 0;
};

Point point_of(const ReportTable& table, const std::vector<ReportCell>& row) {
  const std::size_t value = table.columns.size() - 2;
  const auto& interval = row.at(value + 1);
  Point point{row.at(0).text, row.at(1).text, row.at(value).text, row.at(value).numbers.at(0)};
  point.low = interval.numbers.at(0).value_or(point.value.value_or(0));
  point.high = interval.numbers.at(1).value_or(point.value.value_or(0));
  return point;
}

std::vector<Point> points_of(const ReportTable& table) {
  std::vector<Point> points;
  for (const auto& row : table.rows)
    points.push_back(point_of(table, row));
  return points;
}

std::size_t shown(const std::vector<Point>& points) {
  return static_cast<std::size_t>(std::count_if(
      points.begin(), points.end(), [](const Point& point) { return point.value.has_value(); }));
}

// The smallest span of an axis: a fifth of what is possible.
Axis axis_for(const Measure& measure, const std::vector<Point>& points) {
  std::optional<mapping::Interval> all;
  const auto add = [&](double low, double high) {
    all = all ? mapping::Interval{std::min(all->low, low), std::max(all->high, high)}
              : mapping::Interval{low, high};
  };
  for (const auto& point : points)
    if (point.value) add(point.low, point.high);
  if (measure.total.value) add(*measure.total.value, *measure.total.value);
  if (measure.kind.empty()) add(0, 0);  // a rate from zero
  // A mean's interval can leave its scale.
  const mapping::Interval range{std::min(measure.range.low, all->low),
                                std::max(measure.range.high, all->high)};
  return axis_of(*all, range, (measure.range.high - measure.range.low) / 5);
}

// "2026-09-07: 30 %, 27–33 %, n 120".
std::string tooltip(const ReportTable& table, std::size_t row) {
  const auto& cells = table.rows.at(row);
  std::string text = cut(cells.front().text, 60) + ": ";
  text += cells.at(cells.size() - 2).text + ", " + cells.back().text;
  return text + ", n " + cells.at(1).text;
}

std::string description_of(const std::vector<Point>& points, const char* things,
                           const Measure& measure) {
  std::string text = fmt::format("{} of {} {} have enough answers to be shown.", shown(points),
                                 points.size(), things);
  if (measure.total.value)
    text += fmt::format(" All together: {} ({}).", measure.total.text, measure.total.interval_text);
  return text + " The table below has every number.";
}

std::string xy(double x, double y) {
  return at(x) + "," + at(y) + " ";
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

// The points from `first` on that have a value, one after the other.
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
  svg.polygon(above + below, "band");
  svg.polyline(middle, "curve");
}

void draw_curve(Svg& svg, const Field& field, const ReportTable& table,
                const std::vector<Point>& points) {
  for (std::size_t i = 0; i < points.size();) {
    std::size_t end = i;
    while (end < points.size() && points[end].value)
      ++end;
    if (end > i) draw_run(svg, field, points, i, end);
    i = end + 1;
  }
  for (std::size_t i = 0; i < points.size(); ++i)
    if (points[i].value)
      svg.dot(field.x(i), field.y(*points[i].value), points.size() > 40 ? 1.6 : 3,
              tooltip(table, i));
}

void draw_values(Svg& svg, const Field& field, Unit unit) {
  for (const double tick : field.axis.ticks) {
    svg.line(field.left, field.y(tick), field.right, field.y(tick), "grid");
    svg.text(field.left - 6, field.y(tick) + 4, tick_text(tick, unit), Svg::Anchor::end, "soft");
  }
}

// At most five labels, the first always.
void draw_days(Svg& svg, const Field& field, const std::vector<Point>& points) {
  const std::size_t every = (points.size() + 4) / 5;
  const bool year = points.front().name.substr(0, 4) != points.back().name.substr(0, 4);
  for (std::size_t i = 0; i < points.size(); i += every) {
    svg.line(field.x(i), field.bottom, field.x(i), field.bottom + 4, "base");
    svg.text(field.x(i), field.bottom + 18, isolated(day_label(points[i].name, year)),
             Svg::Anchor::middle, "soft");
  }
}

void draw_total(Svg& svg, const Field& field, const Measure& measure) {
  if (!measure.total.value) return;
  const double y = field.y(*measure.total.value);
  svg.line(field.left, y, field.right, y, "total");
  svg.text(field.right + 4, y - 1, "all", Svg::Anchor::start, "soft");
  svg.text(field.right + 4, y + 12, measure.total.text, Svg::Anchor::start, "strong");
}

constexpr double kSegmentRow = 22, kPlotLeft = 124, kPlotRight = 312;

double plot_x(const Axis& axis, double value) {
  return kPlotLeft + (kPlotRight - kPlotLeft) * axis.place(value);
}

void draw_segment(Svg& svg, const Axis& axis, const Point& point, double y,
                  const std::string& whole) {
  svg.text(0, y + 4, isolated(cut(point.name, 17)));
  svg.text(kPictureWidth, y + 4, point.n, Svg::Anchor::end, "soft");
  if (!point.value) {
    svg.text((kPlotLeft + kPlotRight) / 2, y + 4, point.text, Svg::Anchor::middle, "soft over");
    return;
  }
  const double low = plot_x(axis, point.low), high = plot_x(axis, point.high);
  svg.line(low, y, high, y, "whisker");
  svg.line(low, y - 4, low, y + 4, "whisker");
  svg.line(high, y - 4, high, y + 4, "whisker");
  svg.dot(plot_x(axis, *point.value), y, 4, whole);
}

void draw_segment_axis(Svg& svg, const Axis& axis, const Measure& measure, double bottom) {
  for (const double tick : axis.ticks) {
    svg.line(plot_x(axis, tick), 22, plot_x(axis, tick), bottom, "grid");
    svg.text(plot_x(axis, tick), bottom + 15, tick_text(tick, measure.unit), Svg::Anchor::middle,
             "soft");
  }
  svg.text(kPictureWidth, 14, "n", Svg::Anchor::end, "soft");
  if (!measure.total.value) return;
  const double x = plot_x(axis, *measure.total.value);
  svg.line(x, 20, x, bottom, "total");
  svg.text(x, 14, "all " + measure.total.text, Svg::Anchor::middle, "strong");
}

}  // namespace

std::string day_label(const std::string& day, bool year) {
  static constexpr std::array kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                         "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const auto number = [&](std::size_t from, std::size_t size) {
    int value = 0;
    const char* begin = day.data() + from;
    const auto read = std::from_chars(begin, begin + size, value);
    return read.ec == std::errc{} && read.ptr == begin + size ? value : 0;
  };
  if (day.size() != 10 || day[4] != '-' || day[7] != '-') return cut(day, 10);
  const int month = number(5, 2), of_month = number(8, 2);
  if (month < 1 || month > 12 || of_month < 1) return cut(day, 10);
  const std::string label =
      fmt::format("{} {}", of_month, kMonths[static_cast<std::size_t>(month) - 1]);
  return year ? label + " ’" + day.substr(2, 2) : label;
}

std::string time_picture(const ReportTable& periods) {
  const auto points = points_of(periods);
  if (periods.measure == nullptr || shown(points) == 0) return "";
  const Measure& measure = *periods.measure;
  const Axis axis = axis_for(measure, points);
  const Field field{.axis = axis, .count = points.size()};
  Svg svg("p-" + periods.id, periods.caption, description_of(points, "periods", measure),
          field.bottom + 26);
  draw_values(svg, field, measure.unit);
  draw_total(svg, field, measure);
  draw_curve(svg, field, periods, points);
  svg.line(field.left, field.bottom, field.right, field.bottom, "base");
  draw_days(svg, field, points);
  return svg.take();
}

std::string segment_picture(const ReportTable& segments) {
  auto points = points_of(segments);
  const bool all = points.size() <= kPictureSegments;
  if (!all) points.resize(kPictureSegments);
  if (segments.measure == nullptr || shown(points) == 0) return "";
  const Measure& measure = *segments.measure;
  const Axis axis = axis_for(measure, points);
  const double bottom = 26 + kSegmentRow * static_cast<double>(points.size());
  Svg svg("p-" + segments.id, segments.caption,
          description_of(points, all ? "segments" : "largest segments", measure), bottom + 20);
  draw_segment_axis(svg, axis, measure, bottom);
  for (std::size_t i = 0; i < points.size(); ++i)
    draw_segment(svg, axis, points[i], 37 + kSegmentRow * static_cast<double>(i),
                 tooltip(segments, i));
  return svg.take();
}

}  // namespace surveybridge::daemon
