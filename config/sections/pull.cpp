// [pull.customers], [pull.ratings], [pull.bouncers]: the lists to read. Each list has the keys that
// its filters allow (docs/SERVICE.md 4.2 to 4.4).
#include "config/keys/kinds.hpp"
#include "config/sections/sections.hpp"
#include "config/service_list.hpp"

namespace surveybridge::config {
namespace {

using namespace std::chrono_literals;
using List = Pull::List;
using std::chrono::days;

// One filter, or a list of them.
Kind<std::vector<std::string>> filters(const std::vector<std::string>& known) {
  const auto list = list_of("a date filter or a list of them", one_of(known));
  auto kind = list;
  kind.type = known.size() > 1 ? "one or a list of " + listed(known) : quoted(known.front());
  kind.show = [](const auto& by) { return by.empty() ? "" : quoted(by.front()); };
  kind.read = [list](const Node& node, const Trail& trail) {
    const auto* items = node.as<Node::List>();
    if (items != nullptr && items->empty()) trail.wrong(node.place, "is an empty list");
    if (node.as<std::string>() == nullptr) return list.read(node, trail);
    return list.read({node.place, Node::List{node}}, trail);
  };
  kind.schema = R"({"anyOf":[)" + one_of(known).schema + "," + list.schema + "]}";
  return kind;
}

Keys<Pull> window_keys(List list) {
  const auto& known = dates_of(list);
  const Key<Pull> by = key("by", &Pull::by, filters(known),
                           "the date that finds what changed; else the first of these");
  if (!description_of(list).date_moves) {
    return {by,
            required(key("look_back", &Pull::look_back, duration(1h, days{3650}),
                         "how far back the list is read each time")),
            refused<Pull>("from", no_window_key(list)),
            refused<Pull>("overlap", no_window_key(list))};
  }
  return {by, required(key("from", &Pull::from, date(), "nothing older is read")),
          key("overlap", &Pull::overlap, duration(1s, days{3650}),
              "how much of what was read is read again; longer than all: everything, each time. Of "
              "a walk "
              "by `OptedOutDate` a week at least, unless the walk says another"),
          refused<Pull>("look_back", no_window_key(list))};
}

Finish<Pull> finish_of(List list) {
  return [list](const Node::Table&, const TextPlace& place, const Trail& trail, Pull& pull) {
    pull.list = list;
    pull.name = description_of(list).name;
    pull.place = place;
    if (pull.by.empty()) pull.by = {dates_of(list).front()};
    check_walks(trail, pull);
  };
}

}  // namespace

std::string no_window_key(List list) {
  if (!description_of(list).date_moves)
    return "is not for " + std::string(description_of(list).name) + ": their window is look_back";
  std::string names;
  for (const ServiceList& each : service_lists())
    if (!each.date_moves) names += (names.empty() ? "" : " and ") + std::string(each.name);
  return "is for " + names + " only: use from and overlap";
}

Kind<Pull> pull_section(List list) {
  Keys<Pull> keys = {key("every", &Pull::every, duration(100ms, days{7}), "how often it is read")};
  for (Key<Pull>& each : window_keys(list))
    keys.push_back(std::move(each));
  keys.push_back(key("filter", &Pull::filters, filter_section(list),
                     "parameters of the list: only what fits them is read"));
  keys.push_back(key("walk", &Pull::walks, walks_section(list), "more walks of the same list"));
  keys.push_back(key("limit", &Pull::limit, integer(1, 100), "how many come in one page"));
  keys.push_back(key("max_pages", &Pull::max_pages, bytes(1, 10'000'000),
                     "a walk longer than this is broken off"));
  keys.push_back(key("keep", &Pull::keep, duration(24h, days{36500}),
                     "what is older is removed from the tables, and not stored again"));
  keys.push_back(key("write", &Pull::writes, writes_section(), "answers into tables of the CRM"));
  keys.push_back(key("follow_up", &Pull::follow_ups,
                     follow_ups_section(std::string(description_of(list).name)),
                     "answers that somebody is told of"));
  return section<Pull>(std::move(keys), finish_of(list));
}

}  // namespace surveybridge::config
