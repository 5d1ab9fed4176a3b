// One page of a list: its filter, its position, its rows, and the cursor of the next page.
#include <algorithm>

#include <fmt/format.h>

#include "sandbox/lists/cursor.hpp"
#include "sandbox/lists/show.hpp"
#include "sandbox/operations/operations.hpp"
#include "sandbox/requests/parameters.hpp"

namespace sandbox {
namespace {

constexpr std::int64_t kMostRows = 100;  // docs/SERVICE.md 4.2: maximum and default

using Rows = std::vector<const Customer*>;
using End = PagingStyle::End;

struct ListNames {
  std::string_view root, collection, item;
};

ListNames names_of(ListKind kind) {
  switch (kind) {
    case ListKind::customers:
      return {"GetCustomerResponse", "Customers", "Customer"};
    case ListKind::ratings:
      return {"GetRatingResponse", "Ratings", "Rating"};
    case ListKind::bouncers:
      return {"GetBouncedCustomersResponse", "Bouncers", "BouncedCustomer"};
  }
  return {};
}

Filter read_filter(ListKind kind, Parameters& in, const Options& options) {
  switch (kind) {
    case ListKind::customers:
      return read_customer_filter(in, options);
    case ListKind::ratings:
      return read_rating_filter(in, options);
    case ListKind::bouncers:
      return read_bouncer_filter(in, options);
  }
  return {};
}

// Does this list contain this customer, whatever the filter?
bool belongs(ListKind kind, const Customer& customer, TimePoint now) {
  if (kind == ListKind::ratings) return customer.life.at(Step::review_approved, now).has_value();
  if (kind == ListKind::bouncers) return customer.life.at(Step::bounced, now).has_value();
  return true;
}

// The parameters that a cursor belongs to: all except Cursor and Limit.
std::uint64_t fingerprint_of(const std::vector<Parameter>& query) {
  std::vector<std::string> parts;
  for (const Parameter& parameter : query) {
    if (parameter.name == "Cursor" || parameter.name == "Limit") continue;
    parts.push_back(fmt::format("{}={}", parameter.name, parameter.value));
  }
  std::sort(parts.begin(), parts.end());
  return fingerprint(fmt::format("{}", fmt::join(parts, "&")));
}

class Walk {
 public:
  Walk(World world, ListKind kind, const std::vector<Parameter>& query)
      : world_(world), paging_(world.options.paging), kind_(kind), query_(query) {
    cursor_ = {static_cast<char>(kind), 0, fingerprint_of(query), 0, 0};
  }

  Outcome page() {
    Parameters in(query_, world_.options, findings_);
    filter_ = read_filter(kind_, in, world_.options);
    read_limit(in);
    read_cursor_of(in);
    in.refuse_rest();
    if (!findings_.empty()) return {status_, "", std::nullopt, std::move(findings_)};
    const std::size_t most = rows_of_page();
    const auto passed = static_cast<std::size_t>(paging_.by_offset ? cursor_.after : 0);
    Rows rows = world_.store.page(filter_, paging_.by_offset ? 0 : cursor_.after, passed + most + 1,
                                  [this](const Customer& one) { return wanted(one); });
    rows.erase(rows.begin(),
               rows.begin() + static_cast<std::ptrdiff_t>(std::min(passed, rows.size())));
    const bool more = rows.size() > most;
    if (more) rows.pop_back();
    return {200, names_of(kind_).root, Node{response(rows, more)}, {}};
  }

 private:
  World world_;
  const PagingStyle& paging_;
  ListKind kind_;
  const std::vector<Parameter>& query_;
  Findings findings_;
  int status_ = 400;  // of the findings
  Filter filter_;
  std::int64_t limit_ = kMostRows;
  Cursor cursor_;      // where this page begins
  std::string given_;  // as the client sent it

  void read_limit(Parameters& in) {
    limit_ = in.integer("Limit").value_or(kMostRows);
    if (limit_ < 1 || limit_ > kMostRows) in.refuse("Limit", "must be from 1 to 100");
  }

  void read_cursor_of(Parameters& in) {
    given_ = in.text("Cursor").value_or("");
    if (given_.empty()) return;
    const auto read = read_cursor(given_);
    if (!read || read->list != cursor_.list) {
      return in.refuse("Cursor", "not a cursor of this list");
    }
    if (world_.options.strict && read->filter != cursor_.filter) {
      return in.refuse("Cursor", "the filter is not the one this walk began with");
    }
    if (expired(*read)) {
      status_ = paging_.expired_status;
      return in.refuse("Cursor", "has expired");
    }
    cursor_ = *read;
  }

  bool expired(const Cursor& cursor) const {
    const TimePoint issued{std::chrono::microseconds(cursor.issued_us)};
    if (issued < world_.cursors_since) return true;
    const auto lifetime = paging_.cursor_lifetime;
    return lifetime.count() > 0 && issued + lifetime <= world_.now;
  }

  // A page may have fewer rows than requested; in a list with gaps every fourth page is empty.
  std::size_t rows_of_page() const {
    std::int64_t most = limit_;
    if (paging_.twice) most = std::max<std::int64_t>(1, most / 2);
    if (paging_.gaps && cursor_.page % 4 == 2) return 0;
    if (paging_.gaps && cursor_.page % 2 == 1) most = (most + 1) / 2;
    return static_cast<std::size_t>(most);
  }

  bool wanted(const Customer& customer) const {
    if (customer.created + world_.options.visible_after > world_.now) return false;
    if (!belongs(kind_, customer, world_.now)) return false;
    const Batch& batch = world_.store.batch_of(customer);
    return fits(filter_, customer, batch, world_.options.seed, world_.now);
  }

  Node show(const Customer& customer) const {
    const Options& options = world_.options;
    const View view{world_.now, options.seed, options.style, options.echo_data};
    const Batch& batch = world_.store.batch_of(customer);
    if (kind_ == ListKind::ratings) {
      return show_rating(customer, world_.columns, view, filter_.concatenated);
    }
    if (kind_ == ListKind::bouncers) return show_bouncer(customer, batch, view);
    return show_customer(customer, batch, view, filter_.notes);
  }

  Object response(const Rows& rows, bool more) const {
    List list{names_of(kind_).item, {}};
    for (const Customer* customer : rows) {
      list.items.push_back(show(*customer));
      if (paging_.twice) list.items.push_back(show(*customer));
    }
    Object out;
    put(out, names_of(kind_).collection, std::move(list));
    const bool absent = !more && paging_.end == End::absent;
    if (!absent) put(out, "NextCursor", next_cursor(rows, more));
    return out;
  }

  std::string cursor_behind(const Rows& rows, bool more) const {
    const auto back = more ? static_cast<std::size_t>(std::max(0, paging_.shifted)) : 0;
    Cursor next = cursor_;
    if (paging_.by_offset) {
      next.after += static_cast<std::int64_t>(rows.size());
    } else if (!rows.empty()) {
      next.after = rows[rows.size() - 1 - (back < rows.size() ? back : 0)]->id;
    }
    next.issued_us = world_.now.time_since_epoch().count();
    ++next.page;
    return write_cursor(next);
  }

  Node::Value next_cursor(const Rows& rows, bool more) const {
    if (more || paging_.end == End::endless) return cursor_behind(rows, more);
    if (paging_.end == End::empty) return std::string();
    if (paging_.end == End::blank) return std::string("  ");
    if (paging_.end == End::null) return Null{};
    return given_.empty() ? cursor_behind(rows, more) : given_;
  }
};

}  // namespace

Outcome list_page(World world, ListKind kind, const std::vector<Parameter>& query) {
  return Walk(world, kind, query).page();
}

}  // namespace sandbox
