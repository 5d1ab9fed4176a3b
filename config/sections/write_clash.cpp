// Two writes that set the same column of the same table: which value stays must not depend on which
// list was read last.
#include <algorithm>

#include <fmt/format.h>

#include "config/sections/sections.hpp"
#include "config/text.hpp"

namespace surveybridge::config {
namespace {

// A write, and where it stands.
struct Placed {
  const Pull& pull;
  const Write& write;
  std::size_t index;
};

bool same_constant(const Constant& a, const Constant& b) {
  return std::visit(
      [](const auto& one, const auto& other) {
        using One = std::decay_t<decltype(one)>;
        using Other = std::decay_t<decltype(other)>;
        if constexpr (std::is_same_v<One, Other> && !std::is_same_v<One, Date>) return one == other;
        return false;
      },
      a, b);
}

bool is_true(const Constant& constant) {
  return same_constant(constant, true) || same_constant(constant, std::int64_t{1});
}

// Does the column end up with the same value in whatever order the two are written?
bool any_order(const Write::Cell& a, const Write::Cell& b) {
  if (a.value && b.value) return same_constant(*a.value, *b.value);
  const auto sets = [](const Write::Cell& cell) {
    return cell.value ? is_true(*cell.value) : cell.one_way;
  };
  return sets(a) && sets(b);
}

bool same_columns(const std::vector<Write::Cell>& a, const std::vector<Write::Cell>& b) {
  return std::ranges::is_permutation(
      a, b, [](const auto& x, const auto& y) { return same_ignoring_case(x.column, y.column); });
}

// May both write the same row, in an order that nobody has chosen? The writes of one list are done
// in the order of the file, so a second one may refine what a first one has set.
bool may_clash(const Placed& a, const Placed& b) {
  if (!same_ignoring_case(a.write.table, b.write.table)) return false;
  if (!a.write.push.empty() && !b.write.push.empty() && a.write.push != b.write.push) return false;
  if (a.pull.list != b.pull.list) return true;
  const bool chosen = !a.write.when.empty() || !b.write.when.empty() ||
                      a.write.push != b.write.push || a.write.feedback != b.write.feedback;
  return !chosen && same_columns(a.write.match, b.write.match);
}

void check_pair(const Trail& trail, const Placed& first, const Placed& second) {
  if (!may_clash(first, second)) return;
  for (const Write::Cell& cell : second.write.set) {
    const auto other = std::ranges::find_if(first.write.set, [&](const Write::Cell& each) {
      return same_ignoring_case(each.column, cell.column);
    });
    if (other == first.write.set.end() || any_order(*other, cell)) continue;
    trail.key("pull")
        .key(second.pull.name)
        .key("write")
        .item(second.index)
        .key("set")
        .key(cell.column)
        .wrong(cell.place,
               fmt::format("is set by pull.{}.write[{}] too, and the last write would win: give "
                           "each its own column, or one_way or the same constant to both",
                           first.pull.name, first.index));
  }
}

}  // namespace

void check_written_columns(const Trail& trail, const Settings& settings) {
  std::vector<Placed> all;
  for (const Pull& pull : settings.pulls)
    for (std::size_t i = 0; i < pull.writes.size(); ++i)
      all.push_back({pull, pull.writes[i], i});
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = i + 1; j < all.size(); ++j)
      check_pair(trail, all[i], all[j]);
}

}  // namespace surveybridge::config
