#include "sandbox/operations.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sandbox/model/text.hpp"
#include "sandbox/show.hpp"

namespace sandbox {
namespace {

constexpr std::string_view kAdd = "/external/api/v3/customer/add";
constexpr std::string_view kStatuses = "/external/api/v3/customer/getcustomerstatuses";
constexpr std::string_view kColumnsV1 = "/external/api/v1/customerdatacolumn";
constexpr std::string_view kColumnsV3 = "/external/api/v3/customerdatacolumn";

constexpr std::int64_t kMostRows = 100;  // docs/SERVICE.md 4.2: maximum and default

using Rows = std::vector<const Customer*>;
using End = PagingStyle::End;

// A list: its path, the names in its answer, and how it shows a customer.
struct ListPath {
  ListKind kind;
  std::string_view path, root, collection, item;
  Node (*show)(const Customer&, const Batch&, std::span<const DataColumn>, const View&,
               const Filter&);
};

constexpr ListPath kListPaths[] = {
    {ListKind::customers, "/external/api/v3/customer", "GetCustomerResponse", "Customers",
     "Customer", show_customer},
    {ListKind::ratings, "/external/api/v3/rating", "GetRatingResponse", "Ratings", "Rating",
     show_rating},
    {ListKind::bouncers, "/external/api/v3/customer/getbouncers", "GetBouncedCustomersResponse",
     "Bouncers", "BouncedCustomer", show_bouncer},
};

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
  Walk(World world, const ListPath& kind, const std::vector<Parameter>& query)
      : world_(world), paging_(world.options.paging), kind_(kind), query_(query) {
    cursor_.list = kind.kind;
    cursor_.filter = fingerprint_of(query);
  }

  Outcome page() {
    Parameters in(query_, world_.options, findings_);
    filter_ = read_filter(kind_.kind, in, world_.options);
    read_limit(in);
    read_cursor_of(in);
    in.refuse_rest();
    if (!findings_.empty()) return {status_, "", std::nullopt, std::move(findings_)};
    const std::size_t most = rows_of_page();
    const auto passed = static_cast<std::size_t>(paging_.by_offset ? cursor_.after : 0);
    Rows rows = world_.store.page(paging_.by_offset ? 0 : cursor_.after, passed + most + 1,
                                  [this](const Customer& one) { return wanted(one); });
    rows.erase(rows.begin(),
               rows.begin() + static_cast<std::ptrdiff_t>(std::min(passed, rows.size())));
    const bool more = rows.size() > most;
    if (more) rows.pop_back();
    return {200, kind_.root, Node{response(rows, more)}, {}};
  }

 private:
  World world_;
  const PagingStyle& paging_;
  const ListPath& kind_;
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
    const Cursor* read = world_.cursors.find(given_);
    if (read == nullptr || read->list != cursor_.list) {
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
    const auto lifetime = paging_.cursor_lifetime;
    return cursor.ended || (lifetime.count() > 0 && cursor.issued + lifetime <= world_.now);
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
    const Batch& batch = world_.store.batch_of(customer);
    return fits(filter_, customer, batch, world_.options.seed, world_.now);
  }

  Node show(const Customer& customer) const {
    const Options& options = world_.options;
    const View view{world_.now, options.seed, options.style};
    return kind_.show(customer, world_.store.batch_of(customer), world_.columns, view, filter_);
  }

  Object response(const Rows& rows, bool more) const {
    List list{kind_.item, {}};
    for (const Customer* customer : rows) {
      list.items.push_back(show(*customer));
      if (paging_.twice) list.items.push_back(show(*customer));
    }
    Object out;
    put(out, kind_.collection, std::move(list));
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
    next.issued = world_.now;
    ++next.page;
    return world_.cursors.issue(next);
  }

  Node::Value next_cursor(const Rows& rows, bool more) const {
    if (more || paging_.end == End::endless) return cursor_behind(rows, more);
    if (paging_.end == End::empty) return std::string();
    if (paging_.end == End::blank) return std::string("  ");
    if (paging_.end == End::null) return Null{};
    return given_.empty() ? cursor_behind(rows, more) : given_;
  }
};

// The body of an accepted add; docs/SERVICE.md 4.1 leaves it open.
Outcome accepted(Options::AddReply reply, std::int64_t batch, std::size_t count) {
  using Kind = Options::AddReply;
  if (reply == Kind::accepted) return {202, "", std::nullopt, {}};
  if (reply == Kind::string) {
    return {200, "string", Node{fmt::format("{} customers were added", count)}, {}};
  }
  if (reply == Kind::empty) return {};
  Object body;
  put(body, "BatchId", batch);
  put(body, "Message", std::string("OK"));
  return {200, "ImportCustomersResponse", Node{std::move(body)}, {}};
}

Outcome store_customers(World world, const Node& body) {
  const Options& options = world.options;
  const IntakeRules rules{world.columns, options.data_values};
  Findings findings;
  Intake intake = read_batch(body, world.now, rules, findings);
  if (!findings.empty()) return {400, "", std::nullopt, std::move(findings)};
  const std::size_t count = intake.customers.size();
  const std::int64_t batch = world.store.add(std::move(intake), world.now);
  return accepted(options.add_reply, batch, count);
}

bool is_lookup(std::string_view path) {
  return path == kStatuses || path == kColumnsV1 || path == kColumnsV3;
}

// For operations without URI parameters: the first parameter is the fault.
bool refuse_parameters(const World& world, const Target& target, Outcome& refused) {
  if (!world.options.strict || target.query.empty()) return false;
  refused.findings.add(target.query.front().name, "no such parameter");
  return true;
}

Outcome add_customers(World world, const Request& request, const Target& target) {
  Outcome refused = failed(400);
  if (refuse_parameters(world, target, refused)) return refused;
  const std::size_t largest = world.options.largest_body;
  if (largest != 0 && request.body.size() > largest) return failed(413);
  const auto format = format_of_body(request);
  if (!format) return failed(415);
  const auto parsed = read_body(request.body, *format, world.options);
  if (const auto* node = std::get_if<Node>(&parsed)) return store_customers(world, *node);
  refused.findings.add("request", std::get<Malformed>(parsed).message);
  return refused;
}

Outcome look_up(World world, const Target& target) {
  Outcome refused = failed(400);
  if (refuse_parameters(world, target, refused)) return refused;
  if (target.path == kStatuses) return {200, "GetCustomerStatusesResponse", show_statuses(), {}};
  return {200, "GetCustomerDataColumnsResponse", show_columns(world.columns), {}};
}

}  // namespace

std::string Cursors::issue(const Cursor& cursor) {
  std::string bytes;
  for (int part = 0; part < 4; ++part) {
    const std::uint64_t hash = fingerprint(fmt::format("{}.{}", part, issued_.size()));
    bytes.append(reinterpret_cast<const char*>(&hash), sizeof(hash));
  }
  const std::string text = write_base64(bytes);
  issued_[text] = cursor;
  return text;
}

const Cursor* Cursors::find(const std::string& text) const {
  const auto found = issued_.find(text);
  return found == issued_.end() ? nullptr : &found->second;
}

void Cursors::end() {
  for (auto& [text, cursor] : issued_)
    cursor.ended = true;
}

std::vector<DataColumn> built_in_columns() {
  return {{1, "OrderNumber", "Order number", false, false},
          {2, "FirstName", "First name", false, false},
          {3, "LastName", "Last name", false, false},
          {4, "Language", "Language", false, false},
          {5, "Product", "Product", false, false},
          {6, "Remark", "Remark", false, false},
          {9, "OldReference", "Reference (old)", false, true}};
}

bool is_add(std::string_view path) {
  return path == kAdd;
}

Outcome failed(int status) {
  return {status, "", std::nullopt, {}};
}

Outcome route(World world, const Request& request, const Target& target) {
  const auto list = std::find_if(std::begin(kListPaths), std::end(kListPaths),
                                 [&](const ListPath& one) { return one.path == target.path; });
  const bool listed = list != std::end(kListPaths);
  if (!listed && !is_add(target.path) && !is_lookup(target.path)) return failed(404);
  if (request.method != (is_add(target.path) ? "POST" : "GET")) return failed(405);
  if (is_add(target.path)) return add_customers(world, request, target);
  if (listed) return Walk(world, *list, target.query).page();
  return look_up(world, target);
}

}  // namespace sandbox
