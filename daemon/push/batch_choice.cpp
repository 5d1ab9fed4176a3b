#include "daemon/push/batch_choice.hpp"

#include <algorithm>

#include "daemon/metrics/row_outcome.hpp"
#include "daemon/push/claimed_batch.hpp"

namespace surveybridge::daemon {

// A batch for which too few rows were read is chosen anew from more of them.
std::optional<BatchChoice::Chosen> BatchChoice::next(const mapping::Mapper& mapper,
                                                     const BatchSize& size, std::size_t most,
                                                     TimePoint db_now, const MayGo& may_go) {
  for (;;) {
    const std::size_t limit = spare_rows_.limit(size.cap());
    auto chosen = choose(mapper, size, most, limit, db_now, may_go);
    const bool larger = spare_rows_.limit(size.cap()) > limit;
    if (!chosen || !chosen->lacks_rows || !larger) return chosen;
  }
}

std::optional<BatchChoice::Chosen> BatchChoice::choose(const mapping::Mapper& mapper,
                                                       const BatchSize& size, std::size_t most,
                                                       std::size_t limit, TimePoint db_now,
                                                       const MayGo& may_go) {
  auto found = next_rows_.find(splits_, context_.crm_now(db_now), static_cast<int>(limit));
  if (!found) return std::nullopt;
  MappedRows mapped = map_rows(mapper, found->rows, push_.batch, db_now);
  auto screened =
      suppression_.rule(context_.database(), context_.crm(), std::move(mapped.items), db_now);
  crm::Ledger ledger(context_.database());
  const auto pending = found->pending ? keys_of(screened.go) : std::vector<std::string>{};
  most = std::min(most, size.most(ledger, pending, static_cast<bool>(found->split)));
  const std::size_t sendable = screened.go.size();
  Chosen chosen{cut_batch(std::move(screened.go), most, static_cast<std::size_t>(push_.batch.bytes),
                          may_repeat_address(push_, context_.settings())),
                std::move(found->split),
                found->more || found->rows.size() > size.cap() || mapped.left > 0};
  const auto aside = found->set_aside.size() + mapped.set_aside.size() + mapped.waiting.size() +
                     screened.suppressed.size() + screened.delayed.size();
  const Next next{static_cast<std::int64_t>(chosen.items.size()), static_cast<std::int64_t>(aside),
                  chosen.more_wait};
  if ((next.sends > 0 || next.set_aside > 0) && !may_go(next)) return chosen;
  quarantine_.add(found->set_aside);
  quarantine_.add(mapped.set_aside);
  if (!mapped.waiting.empty()) {
    context_.recorder().rows(push_.name, row_outcome::kDelayed,
                             ledger.delay(push_.name, mapped.waiting));
  }
  tell(screened);
  spare_rows_.learn(size.cap(), found->looked_at - mapped.left, sendable, most,
                    chosen.items.size());
  chosen.lacks_rows = !chosen.split && found->looked_at >= limit && mapped.left == 0 &&
                      chosen.items.size() < std::min(most, size.cap());
  // Nobody of the split batch may be mailed any more. It would be found again for ever.
  if (chosen.items.empty()) chosen.split.done();
  return chosen;
}

std::vector<BatchItem> BatchChoice::mailable(std::vector<BatchItem> items, TimePoint db_now) {
  auto screened = suppression_.rule(context_.database(), context_.crm(), std::move(items), db_now);
  tell(screened);
  return std::move(screened.go);
}

void BatchChoice::tell(const SuppressionCheck::Screened& screened) {
  keep_list_reading();
  crm::Ledger ledger(context_.database());
  if (!screened.suppressed.empty()) {
    context_.recorder().rows(
        push_.name, row_outcome::kSuppressed,
        ledger.set_aside(push_.name, crm::State::suppressed, screened.suppressed));
  }
  if (!screened.delayed.empty()) {
    context_.recorder().rows(push_.name, row_outcome::kDelayed,
                             ledger.delay(push_.name, screened.delayed));
  }
}

// For `status`, where it is another one than before.
void BatchChoice::keep_list_reading() {
  const auto& list = suppression_.own_list();
  if (!list) return;
  const crm::ListReading reading{static_cast<std::int64_t>(list->addresses()), list->unread()};
  if (reading == kept_reading_) return;
  crm::keep_list_reading(context_.database(), reading);
  kept_reading_ = reading;
}

}  // namespace surveybridge::daemon
