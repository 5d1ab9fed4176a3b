#include "daemon/reconcile/look_up_job.hpp"

#include <utility>

#include "daemon/job/fault.hpp"
#include "daemon/reconcile/correlate_column.hpp"

namespace surveybridge::daemon {

namespace {

constexpr int kPagesMax = 10;  // of one key, which has a customer or two

}  // namespace

LookUpJob::LookUpJob(const config::Push& push, const std::vector<std::string>& keys,
                     const Shared& shared, std::uint64_t seed)
    : push_(push),
      name_("look-up." + push.name),
      context_(shared),
      retry_(shared.log, name_, shared.pace, status_, seed),
      keys_(keys.begin(), keys.end()) {
  status_.unit = "keys";
}

TimePoint LookUpJob::step(TimePoint now) {
  status_.caught_up = keys_.empty();
  if (status_.caught_up) return kNever;
  context_.open_service();
  if (const auto later = context_.pace().attempt(now, {name_, RequestClass::read})) return *later;
  const RequestSlot slot(context_.pace(), RequestClass::read);
  if (!column_) {
    const auto trouble = look_up_column(now);
    return trouble ? handle_trouble(Operation::column, *trouble, now) : now;
  }
  if (!search_) begin_search();
  return read_page(now);
}

std::optional<service::Trouble> LookUpJob::look_up_column(TimePoint now) {
  auto column = read_correlate_column(context_.api(), push_.correlate, "", now);
  if (auto* trouble = std::get_if<service::Trouble>(&column)) return std::move(*trouble);
  column_ = std::get<mapping::DataColumn>(std::move(column));
  return std::nullopt;
}

void LookUpJob::begin_search() {
  crm::Doubt doubt;
  doubt.key = keys_.front();
  doubt.test = push_.batch.is_test.value_or(false) || push_.batch.is_concept.value_or(false);
  search_ = exact_search(Search::Kind::exact, std::move(doubt), column_->id, {});
}

TimePoint LookUpJob::read_page(TimePoint now) {
  Search& search = *search_;
  auto page = context_.api().page(service::customers(), search.filters, search.cursor, 100, now);
  if (const auto* trouble = std::get_if<service::Trouble>(&page)) {
    return handle_trouble(Operation::search, *trouble, now);
  }
  const auto& answer = std::get<mapping::Page>(page);
  take_page(search, answer.records, column_);
  for (const auto& each : answer.unreadable)
    take_page(search, {each.partial}, column_);
  const auto follows = search.history.take(search.cursor, answer);
  if (follows == PageHistory::Next::begin_again) {
    search_.reset();
    return retry_.wait(now);
  }
  const bool last = follows != PageHistory::Next::page;
  if (last && follows != PageHistory::Next::end) search.complete = false;
  search.cursor = answer.next_cursor;
  const auto at = search.found.find(keys_.front());
  const bool found = at != search.found.end();
  if (!found && (!search.complete || !answer.unreadable.empty() || search.pages >= kPagesMax)) {
    retry_.report(JobStatus::Fault::person,
                  "the search for one key cannot be believed: the service ignored the filter, its "
                  "list did not end, or one of its records cannot be read");
    return kNever;
  }
  retry_.succeeded();
  if (!last && !found) return now;
  if (found) {
    for (const auto& match : at->second)
      found_[keys_.front()].push_back(match.id);
  }
  keys_.pop_front();
  search_.reset();
  ++status_.done;
  status_.caught_up = keys_.empty();
  return status_.caught_up ? kNever : now;
}

// A search whose cursor has expired begins again; of one key that is a page.
TimePoint LookUpJob::handle_trouble(Operation operation, const service::Trouble& trouble,
                                    TimePoint now) {
  const Retry retry = retry_after(operation, trouble, search_ && !search_->cursor.empty());
  if (search_) search_->history.lose_page();
  if (retry.then == Retry::Then::start_again) search_.reset();
  return retry_.failed(retry, trouble, now);
}

}  // namespace surveybridge::daemon
