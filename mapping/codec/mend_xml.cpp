#include <algorithm>
#include <array>

#include <fmt/core.h>

#include "mapping/codec/formats.hpp"
#include "mapping/codec/mend.hpp"
#include "mapping/codec/xml_scan.hpp"
#include "mapping/values/text.hpp"

namespace surveybridge::mapping {
namespace {

// HTML's names of the characters from U+00A0 to U+00FF, and of some that word processors write.
constexpr std::array<std::string_view, 96> kLatin{
    "nbsp",   "iexcl",  "cent",   "pound",  "curren", "yen",    "brvbar", "sect",   "uml",
    "copy",   "ordf",   "laquo",  "not",    "shy",    "reg",    "macr",   "deg",    "plusmn",
    "sup2",   "sup3",   "acute",  "micro",  "para",   "middot", "cedil",  "sup1",   "ordm",
    "raquo",  "frac14", "frac12", "frac34", "iquest", "Agrave", "Aacute", "Acirc",  "Atilde",
    "Auml",   "Aring",  "AElig",  "Ccedil", "Egrave", "Eacute", "Ecirc",  "Euml",   "Igrave",
    "Iacute", "Icirc",  "Iuml",   "ETH",    "Ntilde", "Ograve", "Oacute", "Ocirc",  "Otilde",
    "Ouml",   "times",  "Oslash", "Ugrave", "Uacute", "Ucirc",  "Uuml",   "Yacute", "THORN",
    "szlig",  "agrave", "aacute", "acirc",  "atilde", "auml",   "aring",  "aelig",  "ccedil",
    "egrave", "eacute", "ecirc",  "euml",   "igrave", "iacute", "icirc",  "iuml",   "eth",
    "ntilde", "ograve", "oacute", "ocirc",  "otilde", "ouml",   "divide", "oslash", "ugrave",
    "uacute", "ucirc",  "uuml",   "yacute", "thorn",  "yuml"};
struct Named {
  std::string_view name;
  unsigned code;
};
constexpr std::array<Named, 12> kOthers{{{"ndash", 0x2013},
                                         {"mdash", 0x2014},
                                         {"lsquo", 0x2018},
                                         {"rsquo", 0x2019},
                                         {"sbquo", 0x201A},
                                         {"ldquo", 0x201C},
                                         {"rdquo", 0x201D},
                                         {"bdquo", 0x201E},
                                         {"bull", 0x2022},
                                         {"hellip", 0x2026},
                                         {"euro", 0x20AC},
                                         {"trade", 0x2122}}};

std::optional<unsigned> code_of(std::string_view name) {
  if (const auto* found = std::ranges::find(kLatin, name); found != kLatin.end())
    return static_cast<unsigned>(0xA0 + (found - kLatin.begin()));
  const auto* found = std::ranges::find(kOthers, name, &Named::name);
  return found == kOthers.end() ? std::nullopt : std::optional(found->code);
}

bool begins_name(std::string_view text) {
  if (text.empty()) return false;
  const auto c = static_cast<unsigned char>(text.front());
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':' || c >= 0x80;
}

// A piece of markup at the start of a text.
struct Piece {
  // none: a bare "<". endless: a comment or the like that is not closed.
  enum class Kind { open, close, empty, other, none, endless } kind = Kind::none;
  std::size_t bytes = 1;
  std::string_view name = {};
};

Piece piece_at(std::string_view text) {
  const auto past = [&](std::string_view end) {
    const auto found = text.find(end);
    return found == text.npos ? Piece{Piece::Kind::endless}
                              : Piece{Piece::Kind::other, found + end.size()};
  };
  if (text.starts_with("<!--")) return past("-->");
  if (text.starts_with("<![CDATA[")) return past("]]>");
  if (text.starts_with("<?")) return past("?>");
  const bool close = text.starts_with("</");
  const std::size_t begin = close ? 2 : 1;
  if (!begins_name(text.substr(std::min(begin, text.size())))) return {};
  const auto name_end = std::min(text.find_first_of(" \t\r\n/><", begin), text.size());
  auto end = name_end;
  while (end < text.size() && text[end] != '>') {
    if (text[end] == '"' || text[end] == '\'') {
      end = text.find(text[end], end + 1);
      if (end == text.npos) return {};
    } else if (text[end] == '<') {
      return {};
    }
    ++end;
  }
  if (end >= text.size()) return {};
  const auto name = text.substr(begin, name_end - begin);
  if (close) return {Piece::Kind::close, end + 1, name};
  return {text[end - 1] == '/' ? Piece::Kind::empty : Piece::Kind::open, end + 1, name};
}

// The bytes of the element at the start of the text, by its tags alone; 0: they do not match.
// `budget`: what may be read for that.
std::size_t element(std::string_view text, std::size_t& budget) {
  std::size_t at = 0, depth = 0;
  const auto most = std::min(text.size(), budget);
  while (at < most) {
    const auto piece = piece_at(text.substr(at));
    at += piece.bytes;
    if (piece.kind == Piece::Kind::open) ++depth;
    const bool stray = piece.kind == Piece::Kind::close && depth == 0;
    if (stray || piece.kind == Piece::Kind::endless) break;
    if (piece.kind == Piece::Kind::close) --depth;
    const bool counts = piece.kind != Piece::Kind::none && piece.kind != Piece::Kind::other;
    if (counts && depth == 0) {
      budget -= std::min(budget, at);
      return at;
    }
    at = std::min(text.find('<', at), text.size());
  }
  budget -= std::min(budget, at);
  return 0;
}

// Writes an element anew so that its texts are well-formed.
class RepairXml {
 public:
  explicit RepairXml(std::string_view text) : text_(text) {
    while (at_ < text_.size()) {
      if (text_[at_] == '&') {
        take_reference();
      } else if (text_[at_] == '<') {
        take_markup();
      } else {
        take_byte();
      }
    }
  }
  std::string& text() { return out_; }
  bool harmless() const { return harmless_; }

 private:
  void take_byte() {
    if (text_[at_] == '\0') {
      out_ += "\uFFFD";
      ++at_;
    } else {
      at_ += take_character(text_.substr(at_), out_, harmless_);
    }
  }

  void take_markup() {
    const auto piece = piece_at(text_.substr(at_));
    if (piece.kind == Piece::Kind::endless) {
      harmless_ = false;
      at_ = text_.size();
      return;
    }
    if (piece.kind == Piece::Kind::none) {
      out_ += "&lt;";
      ++at_;
      return;
    }
    const auto end = at_ + piece.bytes;
    const bool literal = piece.kind == Piece::Kind::other;
    while (at_ < end) {
      if (text_[at_] == '&' && !literal)
        take_reference();
      else
        take_byte();
    }
  }

  // The number of "&#…;" at this place; `bytes`: its length.
  std::optional<unsigned> number(std::size_t at, std::size_t& bytes) const {
    const auto end = text_.substr(at, 12).find(';');
    if (!text_.substr(at).starts_with("&#") || end == text_.npos) return std::nullopt;
    const bool hex = end > 2 && (text_[at + 2] == 'x' || text_[at + 2] == 'X');
    const std::size_t from = hex ? 3 : 2;
    bytes = end + 1;
    return to_number<unsigned>(text_.substr(at + from, end - from), hex ? 16 : 10);
  }

  void take_reference() {
    std::size_t bytes = 0, more = 0;
    if (auto code = number(at_, bytes)) {
      const bool upper = *code >= 0xD800 && *code < 0xDC00;
      const auto low = upper ? number(at_ + bytes, more) : std::nullopt;
      if (low && *low >= 0xDC00 && *low < 0xE000) {
        code = 0x10000 + ((*code - 0xD800) << 10) + (*low - 0xDC00);
        bytes += more;
      } else if (*code == 0 || *code > 0x10FFFF || (*code >= 0xD800 && *code < 0xE000)) {
        code = 0xFFFD;
      }
      out_ += fmt::format("&#{};", *code);
      at_ += bytes;
      return;
    }
    const auto rest = text_.substr(at_ + 1);
    const auto end = rest.substr(0, 12).find(';');
    const auto name = end == rest.npos ? std::string_view() : rest.substr(0, end);
    constexpr std::array<std::string_view, 5> kOwn{"amp", "lt", "gt", "quot", "apos"};
    const auto code = code_of(name);
    if (std::ranges::find(kOwn, name) != kOwn.end()) {
      out_ += fmt::format("&{};", name);
    } else if (code) {
      out_ += fmt::format("&#{};", *code);
    } else {
      // A bare "&", or an entity that nobody has declared: then it is not known what it stands for.
      const bool entity = !name.empty() && std::ranges::all_of(name, [](unsigned char c) {
        return std::isalnum(c) != 0;
      });
      harmless_ = harmless_ && !entity;
      out_ += "&amp;";
      ++at_;
      return;
    }
    at_ += 2 + name.size();
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string out_;
  bool harmless_ = true;
};

class MendingXml {
 public:
  MendingXml(std::string_view body, std::string_view list, const Limits& limits)
      : body_(body), list_(list), limits_(limits), budget_(8 * body.size() + (4U << 20)) {}

  std::optional<Mended> run() {
    if (!find_list()) return std::nullopt;
    find_item_name();
    RepairXml before(body_.substr(0, at_));
    mended_.body = before.text();
    for (std::size_t item = 0;; ++item) {
      at_ = std::min(body_.find_first_not_of(kBlanks, at_), body_.size());
      const auto piece = piece_at(body_.substr(at_));
      if (piece.kind == Piece::Kind::close && piece.name == list_name_) break;
      if (at_ == body_.size() || item > limits_.page || !take_item(item, piece))
        return std::nullopt;
    }
    RepairXml after(body_.substr(at_));
    mended_.body += after.text();
    if (!before.harmless() || !after.harmless()) return std::nullopt;
    return std::move(mended_);
  }

 private:
  // Stands behind the tag that opens the list in the root.
  bool find_list() {
    bool root = false;
    at_ = body_.find('<');
    while (at_ != body_.npos) {
      const auto piece = piece_at(body_.substr(at_));
      if (piece.kind == Piece::Kind::none || piece.kind == Piece::Kind::close ||
          piece.kind == Piece::Kind::endless)
        return false;
      if (piece.kind == Piece::Kind::open && root && same_name(local_name(piece.name), list_)) {
        list_name_ = piece.name;
        at_ += piece.bytes;
        return true;
      }
      const bool passes = piece.kind == Piece::Kind::open && root;
      const auto bytes = passes ? element(body_.substr(at_), budget_) : piece.bytes;
      if (bytes == 0) return false;
      root = root || piece.kind == Piece::Kind::open;
      at_ = body_.find('<', at_ + bytes);
    }
    return false;
  }

  // The first item's, or the last one's: one of them may be the one that is not well-formed.
  void find_item_name() {
    const auto end = body_.rfind("</" + std::string(list_name_));
    const auto last = end == body_.npos ? end : body_.rfind("</", end - 1);
    const auto first = body_.find('<', at_);
    if (last == body_.npos || last < at_ || first == body_.npos) return;
    const auto a = piece_at(body_.substr(first)).name, b = piece_at(body_.substr(last)).name;
    item_name_ = times(a) >= times(b) ? a : b;
    const auto item_end = body_.rfind(fmt::format("</{}>", item_name_));
    if (item_end != body_.npos) last_end_ = item_end;
  }
  std::size_t times(std::string_view name) const {
    if (name.empty()) return 0;
    std::size_t found = 0;
    for (const std::string& tag : {"<" + std::string(name), "</" + std::string(name)}) {
      for (auto at = body_.find(tag, at_); at != body_.npos; at = body_.find(tag, at + 1)) {
        const auto behind = body_.substr(at + tag.size(), 1);
        if (behind.find_first_of(" \t\r\n/>") != behind.npos) ++found;
      }
    }
    return found;
  }

  bool take_item(std::size_t item, const Piece& piece) {
    const auto text = body_.substr(at_);
    const bool opens = piece.kind == Piece::Kind::open || piece.kind == Piece::Kind::empty;
    if (piece.kind == Piece::Kind::other) {
      at_ += piece.bytes;
      return true;
    }
    const auto length = opens ? element(text, budget_) : 0;
    if (budget_ == 0) return false;
    if (length > 0 && is_xml(text.substr(0, length), limits_)) {
      mended_.body += text.substr(0, length);
      at_ += length;
      return true;
    }
    if (length > 0) {
      budget_ -= std::min(budget_, 2 * length);
      RepairXml repair(text.substr(0, length));
      if (is_xml(repair.text(), limits_)) {
        if (repair.harmless()) {
          mended_.body += repair.text();
        } else {
          mended_.cut.push_back({item, std::string(text.substr(0, length)), repair.text()});
        }
        at_ += length;
        return true;
      }
    }
    const auto end = next_item(at_ + 1);
    if (end == body_.npos) return false;
    RepairXml repair(body_.substr(at_, end - at_));
    mended_.cut.push_back({item, std::string(body_.substr(at_, end - at_)), repair.text()});
    at_ = end;
    return true;
  }

  // Where the item ends whose tags do not match: at the next tag of an item, or of the list's end.
  std::size_t next_item(std::size_t from) const {
    for (auto at = body_.find('<', from); at != body_.npos; at = body_.find('<', at + 1)) {
      // A comment that is not closed would be looked for to the end of the body, each time.
      if (body_.substr(at).starts_with("<!") || body_.substr(at).starts_with("<?")) continue;
      const auto piece = piece_at(body_.substr(at));
      const bool item = piece.kind == Piece::Kind::open || piece.kind == Piece::Kind::empty;
      if (item && piece.name == item_name_) return at;
      // It may stand in a record's text, too: then the end of an item is behind it.
      const bool ends = piece.kind == Piece::Kind::close && piece.name == list_name_;
      if (ends && at >= last_end_) return at;
    }
    return body_.npos;
  }

  std::string_view body_, list_;
  const Limits& limits_;
  std::size_t budget_;  // bytes that may be read more than once
  std::size_t at_ = 0;
  std::string_view list_name_, item_name_;  // with their prefixes
  std::size_t last_end_ = 0;                // of an item
  Mended mended_;
};

}  // namespace

std::optional<Mended> mend_xml(std::string_view body, std::string_view list, const Limits& limits) {
  return MendingXml(body, list, limits).run();
}

}  // namespace surveybridge::mapping
