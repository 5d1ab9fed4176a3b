// The parts of the pages of the status page, as HTML without scripts. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/job/job.hpp"
#include "daemon/report/shown_text.hpp"

namespace surveybridge::daemon {

struct Cell {
  // NOLINTNEXTLINE(google-explicit-constructor): most cells are a text
  Cell(std::string shown, std::string path = "") : text(std::move(shown)), link(std::move(path)) {}
  // NOLINTNEXTLINE(google-explicit-constructor)
  Cell(const char* shown) : text(shown) {}

  std::string text;
  std::string link;       // a path of this page; empty: none
  std::string note = {};  // below the text; empty: none
};
using Cells = std::vector<Cell>;

// Empty without rows. On a narrow screen each row becomes a block, and each cell has the name of
// its column before it. `title` and `head` are ours: they are not escaped.
std::string table(std::string_view title, const std::vector<const char*>& head,
                  const std::vector<Cells>& rows);

// The same of a row that `make` makes of each.
template <typename All, typename Make>
std::string table(std::string_view title, const std::vector<const char*>& head, All&& all,
                  Make make) {
  std::vector<Cells> rows;
  for (const auto& each : all)
    rows.push_back(make(each));
  return table(title, head, rows);
}

// The time or "never", and below it as a clock in the zone shows it; nothing below it in UTC, or
// where `zone` is empty.
Cell time_cell(const std::optional<TimePoint>& at, const std::string& zone);

// A whole page. `title` and `host` are escaped here, `body` is HTML. `reloads`: every ten seconds.
std::string html_page(const std::string& title, const std::string& host, const std::string& body,
                      bool reloads);

}  // namespace surveybridge::daemon
