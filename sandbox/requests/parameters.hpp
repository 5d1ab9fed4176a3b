// Reads the parameters of a query with their types, in the form of the dialect (docs/SERVICE.md
// 4.5). A value that does not fit is a finding; so is an unknown parameter in strict mode,
// otherwise it is ignored. Refers to objects of the caller.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sandbox/body/findings.hpp"
#include "sandbox/model/model.hpp"
#include "sandbox/options/options.hpp"
#include "sandbox/values/http.hpp"

namespace sandbox {

// The range of a DateFilter. From is included; the dialect decides about To.
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
  // Indexed from 0 without gaps; each object may have only these members.
  std::vector<FilterObject> objects(std::string_view name, const std::set<std::string>& members);

  // Adds the values of one parameter: the value itself, or its parts between commas.
  void spread(std::string_view value, std::vector<std::string>& values) const;
  std::vector<std::int64_t> integers(std::string_view name, const std::vector<std::string>& texts);

  bool has(std::string_view name) const;
  void refuse(std::string_view name, std::string message);
  // The whole number of a text, or a finding.
  Integer whole(std::string_view name, const std::string& text);

  // Call it last: in strict mode each parameter that was not read is a finding.
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
