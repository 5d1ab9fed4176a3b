#include "daemon/reconcile/search_round.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace surveybridge::daemon {

std::optional<service::Trouble> read_correlate_column(std::optional<mapping::DataColumn>& column,
                                                      service::Api& api,
                                                      const std::string& correlate,
                                                      const std::string& otherwise, TimePoint now) {
  auto columns = api.data_columns(now);
  if (auto* trouble = std::get_if<service::Trouble>(&columns)) return std::move(*trouble);
  const auto known = mapping::to_data_columns(std::get<std::vector<mapping::Record>>(columns));
  auto found = mapping::find_column(correlate, known);
  if (const auto* fault = std::get_if<std::string>(&found)) {
    return service::Trouble{service::Trouble::Kind::misplaced, 200, std::nullopt,
                            "correlate: " + *fault + otherwise};
  }
  column = std::get<mapping::DataColumn>(std::move(found));
  return std::nullopt;
}

SearchRound::SearchRound(const DoubtGroup& group, const std::optional<mapping::DataColumn>& column,
                         TimePoint begun) {
  if (!column || group.control.empty()) return;
  crm::Doubt known;
  known.key = group.control;
  known.test = group.doubts.front().test;
  control_search = exact_search(Search::Kind::control, std::move(known), column->id, begun);
  searches.push_back(*control_search);
}

PageWalk::Answer SearchRound::ask(service::Api& api, TimePoint now) {
  if (!walk) walk = walk_of(searches.front(), now);
  return walk->step(api, now);
}

Search SearchRound::finish() {
  Search finished = std::move(searches.front());
  searches.pop_front();
  walk.reset();
  return finished;
}

std::vector<Search> SearchRound::given_up_after(const Search& finished, bool is_unanswered) {
  constexpr int kUnansweredMax = 3;
  if (finished.kind != Search::Kind::exact) return {};
  unanswered = is_unanswered ? unanswered + 1 : 0;
  if (unanswered < kUnansweredMax) return {};
  const auto left = std::stable_partition(
      searches.begin(), searches.end(),
      [](const Search& search) { return search.kind != Search::Kind::exact || search.answered; });
  std::vector<Search> given_up(std::make_move_iterator(left),
                               std::make_move_iterator(searches.end()));
  searches.erase(left, searches.end());
  return given_up;
}

Duration SearchRound::take_control(const Search& search, TimePoint at) {
  control = proves(search) ? Control::found : Control::missed;
  return at - std::exchange(control_at, at).value_or(at);
}

void SearchRound::repeat_control(bool unconfirmed, TimePoint at) {
  if (control != Control::found) return;
  const bool exact = !searches.empty() && searches.front().kind == Search::Kind::exact;
  const bool is_late = at - *control_at > kControlEvery;
  const bool is_due = searches.empty() ? unconfirmed : (exact || unconfirmed) && is_late;
  if (is_due) searches.push_front(*control_search);
}

}  // namespace surveybridge::daemon
