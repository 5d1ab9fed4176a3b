// [[pull.LIST.walk]]: additional walks of a list, each with its own cursor.
#include <algorithm>
#include <set>

#include "config/keys/kinds.hpp"
#include "config/sections/sections.hpp"
#include "config/service_list.hpp"

namespace surveybridge::config {
namespace {

using namespace std::chrono_literals;
using List = Pull::List;
using std::chrono::days;

Kind<std::string> walk_name() {
  return text_that("1 to 40 of a-z, A-Z, 0-9, \"_\" and \"-\"", [](const std::string& text) {
    constexpr std::string_view kAllowed =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    return !text.empty() && text.size() <= 40 &&
           text.find_first_not_of(kAllowed) == std::string::npos;
  });
}

Keys<WalkSettings> own_window_keys(List list) {
  if (!description_of(list).date_moves) {
    return {key("look_back", &WalkSettings::look_back, duration(1h, days{3650}),
                "how far back this walk reads; else as far as the pull"),
            refused<WalkSettings>("from", no_window_key(list)),
            refused<WalkSettings>("overlap", no_window_key(list))};
  }
  return {key("from", &WalkSettings::from, date(), "nothing older is read; else as the pull says"),
          key("overlap", &WalkSettings::overlap, duration(1s, days{3650}),
              "how much is read again; else as the pull says"),
          refused<WalkSettings>("look_back", no_window_key(list))};
}

void finish(const Node::Table&, const TextPlace& place, const Trail&, WalkSettings& walk) {
  walk.place = place;
  if (walk.name.empty()) walk.name = walk.by;
}

// Refuses a date filter that would apply to the same date as a walk's own window.
void refuse_windows(const Trail& trail, const std::vector<Filter>& filters,
                    const std::vector<std::string>& dates) {
  for (const Filter& filter : filters) {
    for (const std::string& by : dates) {
      if (filter.name != by + "Filter") continue;
      trail.key(filter.name).wrong(filter.place, "clashes with by: it is the walk's own window");
    }
  }
}

void refuse_twice(const Trail& trail, const WalkSettings& walk, const Pull& pull) {
  for (const Filter& filter : walk.filters) {
    for (const Filter& other : pull.filters) {
      if (filter.name != other.name) continue;
      trail.key(filter.name).wrong(filter.place, "is set in the filter of the whole list too");
    }
  }
}

}  // namespace

void check_walks(const Trail& trail, const Pull& pull) {
  std::set<std::string> names(pull.by.begin(), pull.by.end());
  std::vector<std::string> dates = pull.by;
  for (std::size_t i = 0; i < pull.walks.size(); ++i) {
    const WalkSettings& walk = pull.walks[i];
    const Trail at = trail.key("walk").item(i);
    dates.push_back(walk.by);
    if (!names.insert(walk.name).second) {
      const bool own = std::ranges::find(pull.by, walk.name) != pull.by.end();
      at.wrong(walk.place,
               (own ? "the list's own walk (its by) is called " : "another walk is called ") +
                   quoted(walk.name) + " too: give this a name");
    }
    refuse_windows(at.key("filter"), walk.filters, {walk.by});
    refuse_twice(at.key("filter"), walk, pull);
  }
  refuse_windows(trail.key("filter"), pull.filters, dates);
}

Kind<std::vector<WalkSettings>> walks_section(List list) {
  Keys<WalkSettings> keys = {
      required(key("by", &WalkSettings::by, one_of(dates_of(list)), "the date that it walks by")),
      key("name", &WalkSettings::name, walk_name(), "what it is called; else as `by`"),
      key("every", &WalkSettings::every, duration(100ms, days{7}), "how often; else as the pull"),
      key("filter", &WalkSettings::filters, filter_section(list, true),
          "parameters besides those of the whole list")};
  for (Key<WalkSettings>& each : own_window_keys(list))
    keys.push_back(std::move(each));
  return list_of("a list of tables: [[pull.LIST.walk]]",
                 section<WalkSettings>(std::move(keys), finish));
}

}  // namespace surveybridge::config
