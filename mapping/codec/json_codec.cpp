// The events of a JSON body become the record builder's. No tree is ever built, so what a hostile
// body costs is bounded by what the builder keeps of it.
#include "mapping/codec/codec.hpp"
#include "mapping/codec/formats.hpp"
#include "mapping/codec/json_scan.hpp"

namespace surveybridge::mapping {
namespace {

using Kind = Token::Kind;

struct Building {
  RecordBuilder& builder;
  const char* reached = nullptr;  // behind what the parser has read
  std::size_t depth = 0;
  const char* item = nullptr;  // where an object or list within the root's list begins

  bool scalar(Token token) {
    if (!builder.scalar(token)) return false;
    if (depth == 2 && builder.wants_raw()) builder.raw(token.text);
    return true;
  }
  bool member(std::string_view name) { return builder.member(name); }
  bool begin_object() {
    begin();
    return builder.begin_object();
  }
  bool begin_list() {
    begin();
    return builder.begin_list();
  }
  bool end() {
    --depth;
    if (!builder.end()) return false;
    const bool whole = depth == 2 && builder.wants_raw();
    if (whole) builder.raw({item, static_cast<std::size_t>(reached - item)});
    return true;
  }
  void begin() {
    if (++depth == 3) item = reached - 1;
  }
};

// Names by depth: a text in a list belongs to the member that contains the list.
struct Telling {
  struct Open {
    bool is_list = false;
    std::size_t item = 0;
  };
  const LeafSeen& seen;
  std::vector<std::string> names{""};
  std::vector<Open> open{{}};
  std::size_t items = 0;
  const char* reached = nullptr;

  bool scalar(Token token) {
    if (token.kind != Kind::null)
      seen({names.back(), token.text, token.kind, names, open.back().item});
    return true;
  }
  bool member(std::string_view name) {
    names.back() = name;
    return true;
  }
  bool begin_object() { return begin({false, open.back().is_list ? ++items : open.back().item}); }
  bool begin_list() { return begin({true, open.back().item}); }
  bool begin(Open next) {
    open.push_back(next);
    names.push_back(names.back());
    return names.size() <= Limits{}.depth;
  }
  bool end() {
    open.pop_back();
    names.pop_back();
    return true;
  }
};

Value value_of(Token token) {
  switch (token.kind) {
    case Kind::null:
      return Null{};
    case Kind::boolean:
      return token.text == "true";
    case Kind::number:
      if (const auto number = config::to_number<std::int64_t>(token.text)) return *number;
      return Decimal{std::string(token.text)};
    case Kind::text:
    case Kind::markup:
      break;
  }
  return std::string(token.text);
}

// Finds a member of the outermost object.
struct Seeking {
  std::string_view name;
  std::optional<Value> found = std::nullopt;  // empty: no object has begun
  bool is_it = false;                         // the value that comes next
  std::size_t depth = 0;
  const char* start = nullptr;  // of an object or list within the outermost one
  const char* reached = nullptr;

  bool scalar(Token token) {
    if (depth == 1 && is_it) found = value_of(token);
    return depth > 0;
  }
  bool member(std::string_view next) {
    if (depth == 1) is_it = next == name;
    return true;
  }
  bool begin_object() {
    if (depth == 0) found = Null{};
    return begin();
  }
  bool begin_list() { return begin() && found.has_value(); }
  bool begin() {
    if (++depth == 2) start = reached - 1;
    return true;
  }
  bool end() {
    if (--depth == 1 && is_it) found = std::string(start, reached);
    return true;
  }
};

}  // namespace

std::optional<Value> read_member(std::string_view object, std::string_view name) {
  Seeking seeking{name};
  return JsonScan<Seeking>(object, seeking).run() ? seeking.found : std::nullopt;
}

std::optional<Malformed> read_json(std::string_view body, RecordBuilder& builder) {
  Building building{builder};
  JsonScan<Building> scan(body, building);
  if (scan.run()) return std::nullopt;
  if (!scan.fault().empty()) builder.break_off(scan.fault());
  return builder.failure();
}

// A body ends at a NUL.
bool each_json_leaf(std::string_view body, const LeafSeen& seen) {
  Telling telling{seen};
  return JsonScan<Telling>(body.substr(0, body.find('\0')), telling).run();
}

}  // namespace surveybridge::mapping
