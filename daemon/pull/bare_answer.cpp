#include "daemon/pull/bare_answer.hpp"

#include "connectors/crm/pulled/stored_records.hpp"

namespace surveybridge::daemon {

namespace {

using service::Trouble;

constexpr TimePoint kLongAgo{std::chrono::sys_days{std::chrono::year{2000} / 1 / 1}};

}  // namespace

BareAnswer::Answer BareAnswer::step(const crm::StoredWalk& walk, TimePoint now) {
  if (proved_ == walk.cursor) return Empty{};
  if (const auto later = context_.pace().attempt(now, {job_, RequestClass::read}))
    return Later{*later};
  const RequestSlot slot(context_.pace(), RequestClass::read);
  const bool by_activity = &list_ == &service::customers() && by_ == "LastActivityDate";
  auto something = own_is_bare_ ? lists_something(service::customers(), "LastActivityDate", now)
                                : lists_something(list_, by_, now);
  if (auto* trouble = std::get_if<Trouble>(&something)) {
    own_is_bare_ = false;
    return std::move(*trouble);
  }
  if (!std::get<bool>(something) && !own_is_bare_ && !by_activity) {
    own_is_bare_ = true;  // the next step asks for customers
    return Later{now};
  }
  own_is_bare_ = false;
  if (!std::get<bool>(something) && crm::has_records(context_.database(), list_.item)) {
    return service::without_list(list_,
                                 "; nor does the service list anything that was listed before");
  }
  proved_ = walk.cursor;
  return AskAgain{};
}

std::variant<bool, Trouble> BareAnswer::lists_something(const service::ListOperation& list,
                                                        const std::string& by, TimePoint now) {
  const service::Parameter window{by + "Filter", service::DateFilter{kLongAgo, now}};
  auto answer = context_.api().page(list, {window}, "", 1, now, {}, service::Bare::taken);
  if (auto* trouble = std::get_if<Trouble>(&answer)) return std::move(*trouble);
  const auto& page = std::get<mapping::Page>(answer);
  if (page.bare) return false;
  // Behind a cursor there may be more.
  if (!page.records.empty() || !page.unreadable.empty() || !page.next_cursor.empty()) return true;
  if (!own_is_bare_)
    return service::without_list(list_,
                                 ", though the service lists nothing as an empty list elsewhere");
  return false;
}

}  // namespace surveybridge::daemon
