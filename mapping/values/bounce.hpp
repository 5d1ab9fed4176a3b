// Whether a bounce is for good. Decided by what mail servers say (enhanced status codes of RFC
// 3463, reply codes of RFC 5321), then by the customer's status, then by the words that large
// providers use. Pure.
#pragma once

#include <string_view>

namespace surveybridge::mapping {

// hard: mail to this address can never arrive. soft: it may arrive another time, or the server
// refused the sender or the message and said nothing about the address.
enum class Bounce { hard, soft };

// What the service tells of a bounce (section 2.6 of the interface document), each text as it came.
struct BounceTexts {
  std::string_view reason, exception, customer_status;
};

// A bounce of which nothing can be told is soft.
Bounce kind_of_bounce(const BounceTexts& texts);

}  // namespace surveybridge::mapping
