// Reads the parameters of a query with their types, in the form the dialect sets (4.5 leaves it
// open). Like Fields for a body: what does not fit is a finding; in strict mode so is a parameter
// that nobody asked for, otherwise it is ignored as services of this kind do. Borrows all it gets.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sandbox/body/findings.hpp"
#include "sandbox/http/target.hpp"
#include "sandbox/model/model.hpp"
#include "sandbox/options/options.hpp"

namespace sandbox {

// Of a DateFilter. From is included, To by the dialect.
struct Range {
  Instant from, to;
  bool to_is_exclusive = false;

  bool asked() const { return from || to; }
  bool holds(const Instant& date) const;
};

// One object of a list of objects: each member's values in order.
using FilterObject = std::map<std::string, std::vector<std::string>>;

class Parameters {
 public:
  Parameters(const std::vector<Parameter>& query, const Options& options, Findings& findings);

  Text text(std::string_view name);
  Integer integer(std::string_view name);
  std::optional<bool> boolean(std::string_view name);
  Range range(std::string_view name);
  std::vector<std::string> texts(std::string_view name);
  std::vector<std::int64_t> integers(std::string_view name);
  // Indexed from 0 without a gap; each object may have these members only.
  std::vector<FilterObject> objects(std::string_view name, const std::set<std::string>& members);

  // Adds what one value of a list holds: itself, or what commas separate in that dialect.
  void spread(std::string_view value, std::vector<std::string>& values) const;
  std::vector<std::int64_t> integers(std::string_view name, const std::vector<std::string>& texts);

  bool has(std::string_view name) const;
  void refuse(std::string_view name, std::string message);
  // The whole number a text is, or a finding.
  Integer whole(std::string_view name, const std::string& text);

  // Call it last.
  void refuse_rest();

 private:
  struct Part {
    std::string written, base, member, value;
    std::optional<std::size_t> index;
    bool used = false;
  };
  std::vector<Part> parts_;
  const Options& options_;
  Findings& findings_;

  Part split(const Parameter& parameter) const;
  Part* scalar(std::string_view name);
  Instant date(Part& part);
};

}  // namespace sandbox
