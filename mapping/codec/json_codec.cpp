// The one file that knows nlohmann: its parser's events become the record builder's. No tree is
// ever built, so what a hostile body costs is bounded by what the builder keeps of it.
#include <iterator>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "mapping/codec/formats.hpp"
#include "mapping/codec/json_scan.hpp"
#include "mapping/codec/mend.hpp"

namespace surveybridge::mapping {
namespace {

using Kind = Token::Kind;

// Why the parser stopped, without the part of the body that the parser's own message quotes.
std::string syntax_rule(std::size_t position, std::size_t size, std::string_view what) {
  const auto says = [&](std::string_view part) { return what.find(part) != what.npos; };
  if (position > size) return fmt::format("cut off after {} bytes", size);
  if (says("number overflow")) return fmt::format("number too large at byte {}", position);
  if (says("ill-formed UTF-8")) return fmt::format("not UTF-8 at byte {}", position);
  if (says("surrogate U+")) return fmt::format("half a surrogate pair at byte {}", position);
  return fmt::format("not JSON at byte {}", position);
}

// nlohmann's event interface, passed on to any listener that takes tokens.
template <typename Listener>
class Events final : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit Events(Listener& listener) : listener_(listener) {}

  bool null() override { return listener_.scalar({Kind::null, {}}); }
  bool boolean(bool value) override {
    return listener_.scalar({Kind::boolean, value ? "true" : "false"});
  }
  bool number_integer(number_integer_t value) override {
    // The parser calls this for negative numbers only, so a zero was "-0".
    return number(value == 0 ? "-0" : std::to_string(value));
  }
  bool number_unsigned(number_unsigned_t value) override { return number(std::to_string(value)); }
  bool number_float(number_float_t, const string_t& raw) override { return number(raw); }
  bool string(string_t& text) override { return listener_.scalar({Kind::text, text}); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return listener_.begin_object(); }
  bool key(string_t& name) override { return listener_.member(name); }
  bool end_object() override { return listener_.end(); }
  bool start_array(std::size_t) override { return listener_.begin_list(); }
  bool end_array() override { return listener_.end(); }
  bool parse_error(std::size_t at, const std::string&,
                   const nlohmann::detail::exception& why) override {
    return listener_.broken(at, why.what());
  }

 private:
  bool number(const std::string& raw) { return listener_.scalar({Kind::number, raw}); }

  Listener& listener_;
};

// Reads a body and tells how far the parser has come. The parser copies its iterator.
class Reader {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  Reader(const char* at, const char*& reached) : at_(at), reached_(&reached) {}
  const char& operator*() const { return *at_; }
  Reader& operator++() {
    *reached_ = ++at_;
    return *this;
  }
  bool operator==(const Reader& other) const { return at_ == other.at_; }

 private:
  const char* at_;
  const char** reached_;
};

template <typename Listener>
bool parse(std::string_view body, Listener& listener) {
  Events<Listener> events(listener);
  const char* nowhere = nullptr;
  listener.reached = body.data();
  return nlohmann::json::sax_parse(Reader(body.data(), listener.reached),
                                   Reader(body.data() + body.size(), nowhere), &events);
}

struct Building {
  RecordBuilder& builder;
  std::size_t size;
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
  bool broken(std::size_t at, std::string_view what) {
    return builder.break_off(syntax_rule(at, size, what));
  }
};

struct Nobody {
  const char* reached = nullptr;
  bool scalar(Token) { return true; }
  bool member(std::string_view) { return true; }
  bool begin_object() { return true; }
  bool begin_list() { return true; }
  bool end() { return true; }
  bool broken(std::size_t, std::string_view) { return false; }
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
  bool broken(std::size_t, std::string_view) { return false; }
};

}  // namespace

bool read_usual_json(std::string_view body, RecordBuilder& builder,
                     std::optional<Malformed>& malformed) {
  Building building{builder, body.size()};
  const Scanned scanned = scan_json(body, building);
  if (scanned == Scanned::stopped) malformed = builder.failure();
  return scanned != Scanned::unsure;
}

std::optional<Malformed> read_json(std::string_view body, RecordBuilder& builder) {
  // The parser would take a NUL for the end and ignore the rest.
  if (const auto nul = body.find('\0'); nul != body.npos) {
    return Malformed{"", fmt::format("not JSON at byte {}", nul + 1), true};
  }
  Building building{builder, body.size()};
  if (parse(body, building)) return std::nullopt;
  return builder.failure();
}

bool is_json(std::string_view text) {
  Nobody nobody;
  return text.find('\0') == text.npos && parse(text, nobody);
}

bool each_json_leaf(std::string_view body, const LeafSeen& seen) {
  Telling telling{seen};
  return parse(body, telling);
}

}  // namespace surveybridge::mapping
