// The operations of the service (docs/SERVICE.md 4) with records as arguments and results. Adds the
// credentials, refreshes them once after a 401, and reads answers by the description. Belongs to
// one thread; the credentials are shared.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "config/settings.hpp"
#include "connectors/service/credentials.hpp"
#include "connectors/service/outcome.hpp"
#include "connectors/service/query.hpp"
#include "connectors/service/transport.hpp"
#include "mapping/codec/codec.hpp"

namespace surveybridge::service {

// A list operation (config/service_list.hpp): where it is and what it lists.
struct ListOperation {
  std::string_view path;
  std::string_view array;  // "Customers"
  const mapping::Resource& item;
};
const ListOperation& operation_of(config::Pull::List list);
const ListOperation& customers();  // the one that read-back and `verify` search

// What becomes of an answer without a list.
enum class Bare { refused, taken };
// The trouble that a refused one is; `more`: the end of its sentence.
Trouble without_list(const ListOperation& list, const std::string& more = "");
bool is_without_list(const Trouble& trouble);
// Does the answer say of itself that something is missing in it?
bool is_not_whole(const Trouble& trouble);

class Api {
 public:
  Api(const config::Service& settings, Transport& transport, Credentials& credentials)
      : settings_(settings), transport_(transport), credentials_(credentials) {}
  Api(config::Service&&, Transport&, Credentials&) = delete;  // it keeps the settings' address

  // POST customer/add (docs/SERVICE.md 4.1). Repeated only after a 401, which was not processed.
  // `may_start`: see transport.hpp.
  AddOutcome add(const mapping::Record& batch, mapping::Instant now,
                 std::function<bool()> may_start = {});

  // One page. `cursor` empty: the first one. `format` empty: the format of the settings. A bare
  // answer (mapping::Page) is malformed, unless `bare` takes it for an empty page. Malformed is
  // also a page of many more items than `limit`: of more than 10,000 and a hundred times as many.
  std::variant<mapping::Page, Trouble> page(const ListOperation& list,
                                            std::vector<Parameter> filters,
                                            const std::string& cursor, int limit,
                                            mapping::Instant now,
                                            std::optional<mapping::Format> format = {},
                                            Bare bare = Bare::refused);

  // All data columns (docs/SERVICE.md 2.3) and statuses (3). A bare answer lists none.
  std::variant<std::vector<mapping::Record>, Trouble> data_columns(mapping::Instant now);
  std::variant<std::vector<mapping::Record>, Trouble> statuses(mapping::Instant now);

  const config::ServiceDialect& dialect() const { return settings_.dialect; }

  // The bytes `add` sends for a batch (preview).
  std::string body_of(const mapping::Record& batch) const;

 private:
  Exchange exchange(Request request, mapping::Instant now);
  Request get(const std::string& path_and_query, mapping::Format format) const;
  std::variant<mapping::Page, Trouble> read(const std::string& path_and_query,
                                            std::string_view array, const mapping::Resource& item,
                                            mapping::Instant now, std::size_t items,
                                            std::optional<mapping::Format> format = {});

  const config::Service& settings_;
  Transport& transport_;
  Credentials& credentials_;
  std::optional<Trouble> token_trouble_;  // of the present exchange
};

}  // namespace surveybridge::service
