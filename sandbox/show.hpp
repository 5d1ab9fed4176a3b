// The lists' view of what is stored: a customer (docs/SERVICE.md 2.4), a rating (2.5), a bouncer
// (2.6), data columns (2.3) and statuses (3). Pure; the codecs write the nodes as JSON or XML.
#pragma once

#include <span>

#include "sandbox/filter.hpp"
#include "sandbox/model/model.hpp"
#include "sandbox/model/node.hpp"
#include "sandbox/model/options.hpp"

namespace sandbox {

struct View {
  TimePoint now;
  std::uint64_t seed;
  const WritingStyle& style;
};

// An item of each list. `batch` is the customer's.
Node show_customer(const Customer& customer, const Batch& batch,
                   std::span<const DataColumn> columns, const View& view, const Filter& filter);
Node show_rating(const Customer& customer, const Batch& batch, std::span<const DataColumn> columns,
                 const View& view, const Filter& filter);
Node show_bouncer(const Customer& customer, const Batch& batch, std::span<const DataColumn> columns,
                  const View& view, const Filter& filter);
Node show_columns(std::span<const DataColumn> columns);
Node show_statuses();

// Parts that the control paths show, too.
Node::Value show_instant(const Instant& instant, const View& view);
Node::Value show_text(const Text& text);
Node::Value show_integer(const Integer& number);
List show_answers(const Customer& customer, const View& view);

}  // namespace sandbox
