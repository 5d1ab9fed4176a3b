// The lists' view of what is stored: a customer (docs/SERVICE.md 2.4), a rating (2.5), a bouncer
// (2.6), data columns (2.3) and statuses (3). Pure; the codecs write the nodes as JSON or XML.
#pragma once

#include <span>

#include "sandbox/model/model.hpp"
#include "sandbox/options/options.hpp"
#include "sandbox/requests/filter.hpp"
#include "sandbox/values/node.hpp"

namespace sandbox {

struct View {
  TimePoint now;
  std::uint64_t seed;
  const WritingStyle& style;
  bool echo_data = true;
};

Node show_customer(const Customer& customer, const Batch& batch, const View& view, bool notes);
Node show_rating(const Customer& customer, std::span<const DataColumn> columns, const View& view,
                 const std::set<std::int64_t>& concatenated);
Node show_bouncer(const Customer& customer, const Batch& batch, const View& view);
Node show_columns(std::span<const DataColumn> columns);
Node show_statuses();

// Parts that several of them share.
Node::Value show_instant(const Instant& instant, const View& view);
Node::Value show_text(const Text& text);
Node::Value show_integer(const Integer& number);
List show_data(const Customer& customer, const View& view);
// From its data, if a column has it; else en.
std::string language_of(const Customer& customer);
List show_answers(const Customer& customer, const View& view);

}  // namespace sandbox
