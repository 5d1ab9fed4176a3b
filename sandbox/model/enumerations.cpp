#include "sandbox/model/enumerations.hpp"

#include <array>

namespace sandbox {
namespace {

constexpr std::array<std::string_view, 4> kReviews = {"None", "Pending", "Approved", "Rejected"};
constexpr std::array<std::string_view, 4> kForms = {"None", "New", "InProgress", "Closed"};
constexpr std::array<std::string_view, 2> kNotes = {"InteractionByUser", "InteractionBySystem"};
constexpr std::array<std::string_view, 3> kSentiments = {"Negative", "Neutral", "Positive"};

template <typename Names>
Enumeration entry(const Names& names, int number) {
  return {number, names[static_cast<std::size_t>(number)]};
}

}  // namespace

Enumeration as_enumeration(ReviewStatus status) {
  return entry(kReviews, static_cast<int>(status));
}
Enumeration as_enumeration(FormStatus status) {
  return entry(kForms, static_cast<int>(status));
}
Enumeration as_enumeration(NoteType type) {
  return entry(kNotes, static_cast<int>(type));
}
Enumeration sentiment(int value) {
  return entry(kSentiments, value);
}

std::optional<ReviewStatus> find_review_status(std::string_view text) {
  for (std::size_t number = 0; number < kReviews.size(); ++number) {
    if (text == kReviews[number] || text == std::to_string(number)) {
      return static_cast<ReviewStatus>(number);
    }
  }
  return std::nullopt;
}

ReviewStatus review_status(const Customer& customer, TimePoint now) {
  const Life& life = customer.life;
  if (!life.reviewed || !life.at(Step::finished, now)) return ReviewStatus::none;
  if (life.at(Step::review_approved, now)) return ReviewStatus::approved;
  return life.at(Step::review_rejected, now) ? ReviewStatus::rejected : ReviewStatus::pending;
}

FormStatus form_status(const Customer& customer, TimePoint now) {
  const Life& life = customer.life;
  if (!life.contact_requested || !life.at(Step::finished, now)) return FormStatus::none;
  if (life.at(Step::contact_settled, now)) return FormStatus::settled;
  return life.at(Step::contact_taken_up, now) ? FormStatus::in_progress : FormStatus::fresh;
}

}  // namespace sandbox
