// One picture as inline SVG, drawn with the classes of page.cpp, so that it follows the
// page's colours. Pure. Coordinates are units of the view box: the picture is 360 wide and is
// scaled to its place, on a phone about 1 : 1.
#pragma once

#include <string>
#include <string_view>

namespace surveybridge::daemon {

inline constexpr double kPictureWidth = 360;

// "12.5": a coordinate.
std::string at(double coordinate);

class Svg {
 public:
  // `id`: unique in the page. `title` and `description` are what a screen reader says.
  Svg(std::string_view id, std::string_view title, std::string_view description, double height);

  enum class Anchor { start, middle, end };
  // Texts may be anything; they are escaped here.
  Svg& text(double x, double y, std::string_view shown, Anchor anchor = Anchor::start,
            std::string_view style = "");
  Svg& line(double x1, double y1, double x2, double y2, std::string_view style);
  // `whole`: a tooltip; empty: none.
  Svg& rectangle(double x, double y, double width, double height, std::string_view style,
                 std::string_view whole = "");
  Svg& dot(double x, double y, double radius, std::string_view whole = "");
  // `points`: "x,y x,y …".
  Svg& polyline(std::string_view points, std::string_view style);
  Svg& polygon(std::string_view points, std::string_view style);

  std::string take();

 private:
  std::string markup_;
};

}  // namespace surveybridge::daemon
