#include <algorithm>
#include <array>

#include <fmt/core.h>

#include "mapping/codec/json_scan.hpp"
#include "mapping/codec/mend.hpp"
#include "mapping/values/text.hpp"

namespace surveybridge::mapping {
namespace {

constexpr std::string_view kStructure = "{}[],:\"";

std::size_t skip_blanks(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of(kBlanks, at), text.size());
}

char at(std::string_view text, std::size_t place) {
  return place < text.size() ? text[place] : '\0';
}

// Names of an object's own members.
struct Names {
  std::vector<std::string> own = {};
  std::size_t depth = 0;
  const char* reached = nullptr;

  bool scalar(Token) { return true; }
  bool member(std::string_view name) {
    if (depth == 1) own.emplace_back(name);
    return true;
  }
  bool begin_object() { return begin_list(); }
  bool begin_list() {
    ++depth;
    return true;
  }
  bool end() {
    --depth;
    return true;
  }
};

// A well-formed value at the start of the text.
struct WholeValue {
  std::size_t bytes = 0;  // 0: there is none
  std::size_t read = 0;   // to know that
  Names names = {};
};
WholeValue whole_value(std::string_view text) {
  WholeValue value;
  JsonScan<Names> scan(text, value.names);
  const bool whole = scan.one();
  value.read = static_cast<std::size_t>(scan.place() - text.data());
  if (whole) value.bytes = value.read;
  return value;
}

bool is_json(std::string_view text) {
  Names names;
  return JsonScan<Names>(text, names).run();
}

// From a quote to behind the one that ends its text; npos: there is none.
std::size_t end_of_text(std::string_view text, std::size_t from) {
  for (auto place = from + 1; place < text.size(); ++place) {
    if (text[place] == '"') return place + 1;
    if (text[place] == '\\') ++place;
  }
  return text.npos;
}

// The outline of a value: where it ends by its brackets and quotes alone.
struct Outline {
  std::size_t bytes = 0;  // 0: they do not match, or it has no end
  std::size_t read = 0;   // to know that
};

// Of an object or list. `with_quotes`: else a bracket in a text counts too.
Outline bracketed(std::string_view text, bool with_quotes = true) {
  std::string open;
  for (std::size_t place = 0; place < text.size(); ++place) {
    const char c = text[place];
    if (c == '"' && with_quotes) {
      const auto end = end_of_text(text, place);
      if (end == text.npos) return {0, text.size()};
      place = end - 1;
    } else if (c == '{' || c == '[') {
      open += c == '{' ? '}' : ']';
    } else if (c == '}' || c == ']') {
      if (open.empty() || open.back() != c) return {0, place};
      open.pop_back();
    }
    if (open.empty()) return {c == '}' || c == ']' ? place + 1 : 0, place + 1};
  }
  return {0, text.size()};
}

Outline outlined(std::string_view text) {
  const char first = at(text, 0);
  if (first == '{' || first == '[') return bracketed(text);
  const auto end = first == '"' ? end_of_text(text, 0) : text.find_first_of(",]}");
  return end == text.npos ? Outline{0, text.size()} : Outline{end, end};
}

// Writes a text of JSON anew so that it is well-formed, as far as its brackets allow.
class RepairJson {
 public:
  explicit RepairJson(std::string_view text) : text_(text) {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"') {
        take_text();
      } else if (kBlanks.find(c) != kBlanks.npos) {
        ++at_;
      } else if (kStructure.find(c) != kStructure.npos) {
        if ((c == '}' || c == ']') && out_.ends_with(',')) out_.pop_back();
        out_ += c;
        ++at_;
      } else {
        take_word();
      }
    }
  }

  std::string& text() { return out_; }
  bool harmless() const { return harmless_; }

 private:
  void take_text() {
    out_ += '"';
    for (++at_; at_ < text_.size() && text_[at_] != '"';) {
      const auto c = static_cast<unsigned char>(text_[at_]);
      if (c == '\\') {
        take_escape();
      } else if (c < 0x20) {
        out_ += fmt::format("\\u{:04x}", c);
        ++at_;
      } else {
        at_ += take_character(text_.substr(at_), out_, harmless_);
      }
    }
    if (at_ < text_.size()) ++at_;
    out_ += '"';
  }

  std::optional<unsigned> hex(std::size_t from, std::size_t digits) const {
    if (from + digits > text_.size()) return std::nullopt;
    return to_number<unsigned>(text_.substr(from, digits), 16);
  }

  void take_escape() {
    const char name = at(text_, at_ + 1);
    const auto code = name == 'u' ? hex(at_ + 2, 4) : name == 'x' ? hex(at_ + 2, 2) : std::nullopt;
    if (code) {
      const bool upper = *code >= 0xD800 && *code < 0xDC00,
                 half = *code >= 0xD800 && *code < 0xE000;
      const auto low =
          upper && text_.substr(at_ + 6).starts_with("\\u") ? hex(at_ + 8, 4) : std::nullopt;
      const bool pair = low && *low >= 0xDC00 && *low < 0xE000;
      out_ += pair ? std::string(text_.substr(at_, 12))
                   : fmt::format("\\u{:04x}", half ? 0xFFFDU : *code);
      at_ += pair ? 12 : name == 'x' ? 4 : 6;
    } else if (name == '\'') {
      out_ += '\'';
      at_ += 2;
    } else if (name != '\0' &&
               std::string_view("\"\\/bfnrt").find(name) != std::string_view::npos) {
      out_ += text_.substr(at_, 2);
      at_ += 2;
    } else {
      out_ += "\\\\";
      harmless_ = false;
      ++at_;
    }
  }

  // What is neither structure nor a text.
  void take_word() {
    const auto end = std::min(
        text_.find_first_of(std::string(kStructure) + std::string(kBlanks), at_), text_.size());
    const auto word = text_.substr(at_, end - at_);
    at_ = end;
    constexpr std::array<std::string_view, 3> kNothing{"NaN", "undefined", "None"};
    if (is_json(word)) {
      out_ += word;
    } else if (std::ranges::find(kNothing, word) != kNothing.end()) {
      out_ += "null";
    } else if (word == "True" || word == "False") {
      out_ += word == "True" ? "true" : "false";
    } else {
      // As a text it is read where it may be one, and is not what was asked for elsewhere.
      out_ += '"';
      for (std::size_t place = 0; place < word.size();) {
        const bool plain = static_cast<unsigned char>(word[place]) >= 0x20 && word[place] != '\\';
        if (!plain) out_ += '?';
        place += plain ? take_character(word.substr(place), out_, harmless_) : 1;
      }
      out_ += '"';
      harmless_ = harmless_ && word.find_first_not_of("0123456789+-.eE") == word.npos;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string out_;
  bool harmless_ = true;
};

class MendingJson {
 public:
  MendingJson(std::string_view body, std::string_view list, const Resource& item, std::size_t most)
      : body_(body), list_(list), item_(item), most_(most), budget_(8 * body.size() + kFree) {}

  std::optional<Mended> run() {
    if (!find_list()) return std::nullopt;
    RepairJson before(body_.substr(0, at_));
    mended_.body = before.text();
    bool ended = at(body_, skip_blanks(body_, at_)) == ']';
    for (std::size_t item = 0; !ended; ++item) {
      if (item == most_) return std::nullopt;
      at_ = skip_blanks(body_, at_);
      if (!take_item(item)) return std::nullopt;
      at_ = skip_blanks(body_, at_);
      ended = body_[at_] == ']';
      if (!ended) ++at_;  // the comma
    }
    RepairJson after(body_.substr(skip_blanks(body_, at_)));
    mended_.body += after.text();
    if (!before.harmless() || !after.harmless()) return std::nullopt;
    return std::move(mended_);
  }

 private:
  // Stands behind the bracket that opens the list of the root.
  bool find_list() {
    at_ = skip_blanks(body_, 0);
    if (at(body_, at_) != '{') return false;
    ++at_;
    while (true) {
      at_ = skip_blanks(body_, at_);
      if (at(body_, at_) != '"') return false;
      const auto end = end_of_text(body_, at_);
      if (end == body_.npos) return false;
      const auto name = body_.substr(at_ + 1, end - at_ - 2);
      at_ = skip_blanks(body_, end);
      if (at(body_, at_) != ':') return false;
      at_ = skip_blanks(body_, at_ + 1);
      if (same_name(name, list_)) return at(body_, at_++) == '[';
      const auto length = outlined(body_.substr(at_)).bytes;
      if (length == 0) return false;
      at_ = skip_blanks(body_, at_ + length);
      if (at(body_, at_) != ',') return false;
      ++at_;
    }
  }

  bool ends_item(std::size_t place) const {
    const char next = at(body_, skip_blanks(body_, place));
    return next == ',' || next == ']';
  }

  bool take_item(std::size_t item) {
    const auto text = body_.substr(at_);
    const auto whole = whole_value(text);
    if (whole.bytes > 0 && ends_item(at_ + whole.bytes)) {
      keep(text.substr(0, whole.bytes));
      at_ += whole.bytes;
      return true;
    }
    const auto outline = outlined(text);
    spend(whole.read + outline.read);
    if (const auto length = outline.bytes; length > 0 && ends_item(at_ + length)) {
      RepairJson repair(text.substr(0, length));
      if (is_json(repair.text())) {
        if (repair.harmless()) {
          keep(repair.text());
        } else {
          cut(item, text.substr(0, length), std::move(repair.text()));
        }
        at_ += length;
        return true;
      }
      spend(2 * length);
    }
    if (budget_ == 0) return false;
    const auto end = next_item(at_ + 1);
    if (end == body_.npos) return false;
    cut(item, body_.substr(at_, end - at_), "");
    at_ = end;
    return true;
  }

  void keep(std::string_view text) {
    if (!mended_.body.ends_with('[')) mended_.body += ',';
    mended_.body += text;
  }
  void cut(std::size_t item, std::string_view raw, std::string legible) {
    mended_.cut.push_back({item, std::string(raw), std::move(legible)});
  }

  // Where the item ends whose brackets or quotes do not match: before a comma with a whole object
  // behind it that has more members of an item than others, or at the end of the list.
  std::size_t next_item(std::size_t from) {
    for (auto place = body_.find_first_of(",]", from); place != body_.npos;
         place = body_.find_first_of(",]", place + 1)) {
      const bool ends = body_[place] == ']' ? ends_page(place) || ends_body(place)
                                            : begins_item(skip_blanks(body_, place + 1));
      if (ends) return place;
      if (budget_ == 0) return body_.npos;
    }
    return body_.npos;
  }

  bool begins_item(std::size_t place) {
    if (at(body_, place) != '{') return false;
    const auto value = whole_value(body_.substr(place));
    spend(value.read);
    if (value.bytes == 0 || !ends_item(place + value.bytes)) return false;
    const auto& own = value.names.own;
    const auto known = std::ranges::count_if(
        own, [&](const std::string& name) { return item_.find(name) != nullptr; });
    return 2 * static_cast<std::size_t>(known) > own.size();
  }

  // Does a list end here, with only members of the root behind it? One of them is the next cursor:
  // else an inner list of a body that is cut off would look the same.
  bool ends_page(std::size_t place) {
    const std::string rest = "{\"\":0" + std::string(body_.substr(place + 1, kRestBytes));
    spend(rest.size());
    if (body_.size() - place > kRestBytes || !is_json(rest)) return false;
    const auto names = whole_value(rest).names.own;
    const auto is_cursor = [](const std::string& name) { return same_words(name, "NextCursor"); };
    const auto is_items = [&](const std::string& name) { return item_.find(name) != nullptr; };
    return std::ranges::any_of(names, is_cursor) && std::ranges::none_of(names, is_items);
  }

  // Does the list end here, and the body with it? A body that is cut off may look the same behind
  // an inner list: there a bracket of the item is open, or the item has no fault up to its end.
  bool ends_body(std::size_t place) {
    const auto brace = skip_blanks(body_, place + 1);
    if (at(body_, brace) != '}' || skip_blanks(body_, brace + 1) < body_.size()) return false;
    const auto item = body_.substr(at_, place - at_);
    const auto length = bracketed(item, false).bytes;
    if (length == 0 || skip_blanks(item, length) < item.size()) return false;
    const auto rest = body_.substr(at_);
    const auto read = whole_value(rest).read;
    spend(read);
    return skip_blanks(rest, read) < rest.size();
  }

  void spend(std::size_t bytes) { budget_ -= std::min(budget_, bytes + 1); }

  static constexpr std::size_t kRestBytes = 16 * 1024;
  static constexpr std::size_t kFree = 32U << 20;  // of the budget, whatever the body's size
  std::string_view body_, list_;
  const Resource& item_;
  std::size_t most_;  // items
  std::size_t at_ = 0;
  std::size_t budget_;  // bytes that may be read more than once
  Mended mended_;
};

}  // namespace

std::optional<Mended> mend_json(std::string_view body, std::string_view list, const Resource& item,
                                const Limits& limits) {
  return MendingJson(body, list, item, limits.page).run();
}

}  // namespace surveybridge::mapping
