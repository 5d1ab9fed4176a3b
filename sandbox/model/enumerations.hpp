// The enumerations of docs/SERVICE.md 2.4. One name of each is specified; the other values and all
// numbers are the stand-in's own.
#pragma once

#include <optional>
#include <string_view>

#include "sandbox/model/model.hpp"
#include "sandbox/values/node.hpp"

namespace sandbox {

enum class ReviewStatus { none, pending, approved, rejected };
enum class FormStatus { none, fresh, in_progress, settled };  // fresh is written "New"
enum class NoteType { by_user, by_system };

Enumeration as_enumeration(ReviewStatus status);
Enumeration as_enumeration(FormStatus status);
Enumeration as_enumeration(NoteType type);
Enumeration sentiment(int value);  // 0 Negative, 1 Neutral, 2 Positive

// By number or by name.
std::optional<ReviewStatus> find_review_status(std::string_view text);

// The state of a customer's review, and of its form.
ReviewStatus review_status(const Customer& customer, TimePoint now);
FormStatus form_status(const Customer& customer, TimePoint now);

}  // namespace sandbox
