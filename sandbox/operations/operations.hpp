// The operations of docs/SERVICE.md 4: the answer to a request with a good token and a readable
// body. They change only the Store; they have no transport and no clock.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "sandbox/body/findings.hpp"
#include "sandbox/lists/store.hpp"
#include "sandbox/values/http.hpp"
#include "sandbox/values/node.hpp"

namespace sandbox {

struct World {
  const Options& options;
  std::span<const DataColumn> columns;
  Store& store;
  TimePoint now;
  TimePoint cursors_since;  // cursors issued before this are unknown
};

// The outcome of an operation; the codec of the client's choice writes it.
struct Outcome {
  int status = 200;
  std::string_view root;     // the body's XML element
  std::optional<Node> body;  // nullopt: an empty body
  Findings findings;         // with a status above 399
};

// The built-in data columns, for options that name none.
std::vector<DataColumn> built_in_columns();

enum class ListKind : char { customers = 'c', ratings = 'r', bouncers = 'b' };

Outcome add_customers(World world, const Node& body);
Outcome list_page(World world, ListKind kind, const std::vector<Parameter>& query);

// Is this the path of customer/add?
bool is_add(std::string_view path);
// Finds the operation for a path and method (docs/SERVICE.md 3 and 4) and runs it.
Outcome route(World world, const Request& request, const Target& target);
// An outcome that is only a status.
Outcome failed(int status);

}  // namespace sandbox
