#include "daemon/reconcile/look_up_job.hpp"

#include <utility>

#include "daemon/reconcile/correlate_column.hpp"

namespace surveybridge::daemon {

LookUpJob::LookUpJob(std::string name, const DoubtGroup& group, const Shared& shared,
                     std::uint64_t seed)
    : group_(group),
      name_(std::move(name)),
      context_(shared),
      retry_(shared.log, name_, shared.pace, status_, seed) {
  status_.unit = "keys";
}

TimePoint LookUpJob::step(TimePoint now) {
  status_.caught_up = begun_ && searches_.empty();
  if (status_.caught_up) return kNever;
  context_.open_service();
  if (const auto later = context_.pace().attempt(now, {name_, RequestClass::read})) return *later;
  const RequestSlot slot(context_.pace(), RequestClass::read);
  if (!column_) {
    const auto trouble = look_up_column(now);
    return trouble ? retry_.failed(retry_after(Operation::column, *trouble), *trouble, now) : now;
  }
  if (!begun_) begin_searches();
  return read_page(now);
}

std::optional<service::Trouble> LookUpJob::look_up_column(TimePoint now) {
  auto column = read_correlate_column(context_.api(), group_.column, "", now);
  if (auto* trouble = std::get_if<service::Trouble>(&column)) return std::move(*trouble);
  column_ = std::get<mapping::DataColumn>(std::move(column));
  return std::nullopt;
}

// First a key that is known to be sent, if there is one. Then each key by itself, and the address
// and the date of those of which they are known, for a service that keeps keys in another form.
void LookUpJob::begin_searches() {
  begun_ = true;
  if (!group_.control.empty()) {
    crm::Doubt known;
    known.key = group_.control;
    known.test = group_.doubts.front().test;
    control_ = exact_search(Search::Kind::control, std::move(known), column_->id, {});
    searches_.push_back(*control_);
  }
  found_.proven = control_.has_value();
  std::vector<crm::Doubt> addressed;
  for (const auto& doubt : group_.doubts) {
    searches_.push_back(exact_search(Search::Kind::exact, doubt, column_->id, {}));
    if (!doubt.email.empty()) addressed.push_back(doubt);
  }
  for (auto& search : plan_searches(std::move(addressed), context_.settings().service.dialect, {}))
    searches_.push_back(std::move(search));
}

TimePoint LookUpJob::read_page(TimePoint now) {
  Search& search = searches_.front();
  if (!walk_) walk_ = walk_of(search, now);
  const auto answer = walk_->step(context_.api(), now);
  if (const auto later = when_again(answer, retry_, now)) return *later;
  const bool ended = take_answer(search, answer, column_);
  const bool missed = search.kind == Search::Kind::exact && !search.complete &&
                      !search.found.contains(search.doubts.front().key);
  if (missed) {
    retry_.report(JobStatus::Fault::person,
                  "the search for one key cannot be believed: the service ignored the filter, its "
                  "list did not end, or one of its records cannot be read");
    return kNever;
  }
  if (ended || walk_->is_further()) retry_.succeeded();
  if (!ended) return now;
  const Search finished = std::move(search);
  searches_.pop_front();
  walk_.reset();
  take(finished);
  if (is_control_due(finished)) searches_.push_front(*control_);
  status_.caught_up = searches_.empty();
  return status_.caught_up ? kNever : now;
}

bool LookUpJob::is_control_due(const Search& finished) const {
  if (!found_.proven || !control_at_ || finished.kind == Search::Kind::control) return false;
  return searches_.empty() || context_.environment().uptime() - *control_at_ > kControlEvery;
}

void LookUpJob::take(const Search& search) {
  if (search.kind == Search::Kind::control) {
    const Duration now = context_.environment().uptime();
    const Duration before = std::exchange(control_at_, now).value_or(now);
    const Control control = proves(search) ? Control::found : Control::missed;
    if (!is_believed(control, now - before)) found_.proven = false;
    return;
  }
  for (const auto& doubt : search.doubts) {
    const auto at = search.found.find(doubt.key);
    if (at == search.found.end()) continue;
    auto& ids = found_.listed[doubt.key];
    if (!ids.empty()) continue;  // another search has found it
    for (const auto& match : at->second)
      ids.push_back(match.id);
  }
  if (search.kind == Search::Kind::exact) {
    ++status_.done;
    return;
  }
  // It may have missed a customer that is like one of them.
  if (!search.complete) found_.proven = false;
  found_.alike.push_back(search);
}

}  // namespace surveybridge::daemon
