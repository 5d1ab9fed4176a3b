// The operations of docs/SERVICE.md 4: the answer to a request with a good token and a readable
// body. They change only the Store and the cursors; they have no transport and no clock.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "sandbox/body/fields.hpp"
#include "sandbox/model/http.hpp"
#include "sandbox/model/node.hpp"
#include "sandbox/store.hpp"

namespace sandbox {

// Where a page of a list begins, and what it belongs to.
struct Cursor {
  ListKind list = ListKind::customers;
  std::uint64_t filter = 0;  // fingerprint of the parameters
  std::int64_t after = 0;    // the last id that was listed, or how many rows were
  std::int64_t page = 0;     // number of pages before this one
  TimePoint issued{};
  bool ended = false;
};

// The cursors that were given to clients. Their texts contain + / =, so a client that does not
// encode them fails. Not thread-safe: Service guards it.
class Cursors {
 public:
  std::string issue(const Cursor& cursor);
  // nullptr: not one of ours.
  const Cursor* find(const std::string& text) const;
  // Ends all cursors issued so far.
  void end();

 private:
  std::unordered_map<std::string, Cursor> issued_;
};

struct World {
  const Options& options;
  std::span<const DataColumn> columns;
  Store& store;
  Cursors& cursors;
  TimePoint now;
};

// The outcome of an operation; the codec of the client's choice writes it.
struct Outcome {
  int status = 200;
  std::string_view root;     // the body's XML element
  std::optional<Node> body;  // nullopt: an empty body
  Findings findings;         // with a status above 399
};

// The format of bodies: of the request, by content type or first byte; of the answer, by the Accept
// header.
enum class Format { json, xml };

// nullopt: a content type that the service does not accept (415).
std::optional<Format> format_of_body(const Request& request);
// JSON if the client accepts anything or says nothing.
Format format_of_answer(const Request& request);

ParseResult read_body(std::string_view body, Format format, const Options& options);

// The reply for an operation's outcome, errors included.
Reply write_outcome(const Outcome& outcome, Format format, const Options& options);

// The built-in data columns, for options that name none.
std::vector<DataColumn> built_in_columns();

// Is this the path of customer/add?
bool is_add(std::string_view path);
// Finds the operation for a path and method (docs/SERVICE.md 3 and 4) and runs it.
Outcome route(World world, const Request& request, const Target& target);
// An outcome that is only a status.
Outcome failed(int status);

}  // namespace sandbox
