#include "daemon/reconcile/look_up_job.hpp"

#include <utility>

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
  status_.caught_up = round_ && round_->searches.empty();
  if (status_.caught_up) return kNever;
  context_.open_service();
  if (const auto later = context_.pace().attempt(now, {name_, RequestClass::read})) return *later;
  const RequestSlot slot(context_.pace(), RequestClass::read);
  if (!column_) {
    const auto trouble = read_correlate_column(column_, context_.api(), group_.column, "", now);
    return trouble ? retry_.failed(retry_after(Operation::column, *trouble), *trouble, now) : now;
  }
  if (!round_) begin_searches();
  return read_page(now);
}

// Each key by itself, and the address and the date of those of which they are known, for a service
// that keeps keys in another form.
void LookUpJob::begin_searches() {
  round_.emplace(group_, column_, TimePoint{});
  found_.proven = round_->control_search.has_value();
  std::vector<crm::Doubt> addressed;
  for (const auto& doubt : group_.doubts) {
    round_->searches.push_back(exact_search(Search::Kind::exact, doubt, column_->id, {}));
    if (!doubt.email.empty()) addressed.push_back(doubt);
  }
  for (auto& search : plan_searches(std::move(addressed), context_.settings().service.dialect, {}))
    round_->searches.push_back(std::move(search));
}

TimePoint LookUpJob::read_page(TimePoint now) {
  const auto answer = round_->ask(context_.api(), now);
  if (const auto later = when_again(answer, retry_, now)) return *later;
  Search& search = round_->searches.front();
  const bool ended = take_answer(search, answer, column_);
  const bool missed = search.kind == Search::Kind::exact && !search.complete &&
                      !search.found.contains(search.doubts.front().key);
  if (missed) {
    retry_.report(JobStatus::Fault::person,
                  "the search for one key cannot be believed: the service ignored the filter, its "
                  "list did not end, or one of its records cannot be read");
    return kNever;
  }
  if (ended || round_->walk->is_further()) retry_.succeeded();
  if (!ended) return now;
  take(round_->finish());
  status_.caught_up = round_->searches.empty();
  return status_.caught_up ? kNever : now;
}

void LookUpJob::take(const Search& search) {
  const TimePoint at{context_.environment().uptime()};
  if (search.kind == Search::Kind::control) {
    const Duration between = round_->take_control(search, at);
    if (!is_believed(round_->control, between)) found_.proven = false;
    return;
  }
  take_found(search);
  round_->repeat_control(found_.proven, at);
}

void LookUpJob::take_found(const Search& search) {
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
