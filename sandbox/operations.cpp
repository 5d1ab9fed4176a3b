#include "sandbox/operations.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sandbox/cursor.hpp"
#include "sandbox/show.hpp"

namespace sandbox {
namespace {

constexpr std::int64_t kMostRows = 100;  // 4.2: maximum and default

Outcome refused(Findings findings) {
  return {400, "", std::nullopt, std::move(findings)};
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

// Whether this list shows this customer at all, whatever the filter.
bool belongs(ListKind kind, const Customer& customer, TimePoint now) {
  if (kind == ListKind::ratings) return customer.life.at(Step::review_approved, now).has_value();
  if (kind == ListKind::bouncers) return customer.life.at(Step::bounced, now).has_value();
  return true;
}

// What a cursor is bound to: all parameters but those that turn the pages.
std::uint64_t fingerprint_of(const std::vector<Parameter>& query) {
  std::vector<std::string> parts;
  for (const Parameter& parameter : query) {
    if (parameter.name == "Cursor" || parameter.name == "Limit") continue;
    parts.push_back(fmt::format("{}={}", parameter.name, parameter.value));
  }
  std::sort(parts.begin(), parts.end());
  return fingerprint(fmt::format("{}", fmt::join(parts, "&")));
}

// Reads Limit and Cursor and turns one page of a list.
class Walk {
 public:
  Walk(World world, ListKind kind, const std::vector<Parameter>& query, TimePoint now)
      : world_(world), kind_(kind), query_(query), now_(now) {}

  Outcome page() {
    Parameters in(query_, world_.options, findings_);
    filter_ = read_filter(kind_, in, world_.options);
    read_paging(in);
    in.refuse_rest();
    if (!findings_.empty()) return refused(std::move(findings_));
    const auto most = static_cast<std::size_t>(limit_);
    auto found = world_.store.page(filter_, after_, most + 1,
                                   [this](const Customer& one) { return wanted(one); });
    const bool more = found.size() > most;
    if (more) found.pop_back();
    return {200, root(), Node{response(found, more)}, {}};
  }

 private:
  World world_;
  ListKind kind_;
  const std::vector<Parameter>& query_;
  TimePoint now_;
  Findings findings_;
  Filter filter_;
  std::int64_t limit_ = kMostRows, after_ = 0;

  void read_paging(Parameters& in) {
    limit_ = in.integer("Limit").value_or(kMostRows);
    if (limit_ < 1 || limit_ > kMostRows) in.refuse("Limit", "must be from 1 to 100");
    const Text text = in.text("Cursor");
    if (!text || text->empty()) return;
    const auto cursor = read_cursor(*text);
    if (!cursor || cursor->list != static_cast<char>(kind_)) {
      return in.refuse("Cursor", "not a cursor of this list");
    }
    if (world_.options.strict && cursor->filter != fingerprint_of(query_)) {
      return in.refuse("Cursor", "the filter is not the one this walk began with");
    }
    after_ = cursor->after;
  }

  bool wanted(const Customer& customer) const {
    if (customer.created + world_.options.visible_after > now_) return false;
    if (!belongs(kind_, customer, now_)) return false;
    return fits(filter_, customer, world_.store.batch_of(customer), world_.options.seed, now_);
  }

  std::string_view root() const {
    if (kind_ == ListKind::ratings) return "GetRatingResponse";
    return kind_ == ListKind::bouncers ? "GetBouncedCustomersResponse" : "GetCustomerResponse";
  }

  Node show(const Customer& customer) const {
    const View view{now_, world_.options.seed, world_.options.style.dates};
    const Batch& batch = world_.store.batch_of(customer);
    if (kind_ == ListKind::ratings) {
      return show_rating(customer, world_.columns, view, filter_.concatenated);
    }
    if (kind_ == ListKind::bouncers) return show_bouncer(customer, batch, view);
    return show_customer(customer, batch, view, filter_.notes);
  }

  Object response(const std::vector<const Customer*>& found, bool more) const {
    Object out;
    List rows;
    for (const Customer* customer : found)
      rows.items.push_back(show(*customer));
    rows.item = kind_ == ListKind::ratings    ? "Rating"
                : kind_ == ListKind::bouncers ? "BouncedCustomer"
                                              : "Customer";
    put(out, kind_ == ListKind::bouncers ? "Bouncers" : std::string(rows.item) + "s",
        std::move(rows));
    put(out, "NextCursor", next_cursor(found, more));
    return out;
  }

  Node::Value next_cursor(const std::vector<const Customer*>& found, bool more) const {
    if (!more) return Null{};
    return write_cursor({static_cast<char>(kind_), found.back()->id, fingerprint_of(query_),
                         now_.time_since_epoch().count()});
  }
};

}  // namespace

std::vector<DataColumn> built_in_columns() {
  return {{1, "OrderNumber", "Order number", false, false},
          {2, "FirstName", "First name", false, false},
          {3, "LastName", "Last name", false, false},
          {4, "Language", "Language", false, false},
          {5, "Product", "Product", false, false},
          {6, "Remark", "Remark", false, false},
          {9, "OldReference", "Reference (old)", false, true}};
}

Outcome add_customers(World world, const Node& body, TimePoint now) {
  const IntakeRules rules{world.columns,
                          world.options.customers_per_add,
                          {world.options.strict, world.options.style.dates.offset}};
  Findings findings;
  Intake intake = read_batch(body, now, rules, findings);
  if (!findings.empty()) return refused(std::move(findings));
  world.store.add(std::move(intake), now);
  return {};
}

Outcome list_page(World world, ListKind kind, const std::vector<Parameter>& query, TimePoint now) {
  return Walk(world, kind, query, now).page();
}

}  // namespace sandbox
