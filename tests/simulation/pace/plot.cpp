#include <algorithm>

#include <fmt/format.h>

#include "tests/simulation/pace/report.hpp"

namespace pace_simulation {

namespace {

constexpr std::size_t kFrom = 240, kTo = 480;  // seconds of the run that are shown
constexpr double kWidth = 960, kBand = 150, kMost = 30, kLeft = 60;

double x_of(std::size_t second) {
  return kLeft + (kWidth - kLeft) * static_cast<double>(second - kFrom) / (kTo - kFrom);
}
double y_of(double per_second, double top) {
  return top + kBand - 20 - (kBand - 40) * std::min(per_second, kMost) / kMost;
}

std::string line(const std::string& points, const char* color, const char* more) {
  return fmt::format("<polyline fill=\"none\" stroke=\"{}\" {} points=\"{}\"/>\n", color, more,
                     points);
}

// One strategy: what the limit allows (grey), accepted requests (blue), refusals (red).
std::string band(const Scenario& scenario, Peer peer, std::uint64_t seed, double top) {
  const Run run = run_pace(scenario, peer, seed);
  std::string allowed, accepted, refused;
  for (std::size_t second = kFrom; second < kTo; ++second) {
    const double limit = allowed_per_second(limit_at(scenario, std::chrono::seconds{second}));
    const Second& what = run.seconds[second];
    allowed += fmt::format("{:.1f},{:.1f} ", x_of(second), y_of(limit, top));
    accepted += fmt::format("{:.1f},{:.1f} ", x_of(second), y_of(what.accepted, top));
    if (what.refused == 0) continue;
    refused += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.5\" fill=\"#c22\"/>\n",
                           x_of(second), y_of(what.refused, top));
  }
  return fmt::format("<text x=\"{}\" y=\"{}\">{}</text>\n", kLeft, top + 14, name_of(peer)) +
         line(allowed, "#999", "stroke-width=\"2\" stroke-dasharray=\"6 4\"") +
         line(accepted, "#26c", "stroke-width=\"1.2\"") + refused;
}

const Scenario& changing() {
  const auto& all = scenarios();
  return *std::find_if(all.begin(), all.end(),
                       [](const Scenario& scenario) { return scenario.phases.size() > 1; });
}

}  // namespace

std::string plot_of(std::uint64_t seed) {
  const double height = kBand * std::size(kAllPeers);
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"sans-serif\""
      " font-size=\"13\">\n<title>Requests a second: allowed (grey), let in (blue), refused (red)"
      "</title>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
      kWidth, height);
  double top = 0;
  for (const Peer peer : kAllPeers) {
    svg += band(changing(), peer, seed, top);
    top += kBand;
  }
  return svg + "</svg>\n";
}

}  // namespace pace_simulation
