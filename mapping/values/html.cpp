#include "mapping/values/html.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <sstream>
#include <unordered_map>

#include "config/text.hpp"
#include "mapping/values/text.hpp"

namespace surveybridge::mapping {
namespace {

constexpr std::size_t kEntityBytes = 12;
constexpr char32_t kNoBreakSpace = 0xA0;

// Those of Latin-1, from 160 to 255.
constexpr const char* kLatin =
    "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn "
    "sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave "
    "Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml "
    "ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN "
    "szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave "
    "iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute "
    "ucirc uuml yacute thorn yuml";

using Names = std::unordered_map<std::string, char32_t>;

Names entity_names() {
  Names names{{"amp", U'&'},     {"lt", U'<'},       {"gt", U'>'},       {"quot", U'"'},
              {"apos", U'\''},   {"commat", U'@'},   {"period", U'.'},   {"plus", U'+'},
              {"lowbar", U'_'},  {"euro", 0x20AC},   {"ndash", 0x2013},  {"mdash", 0x2014},
              {"lsquo", 0x2018}, {"rsquo", 0x2019},  {"sbquo", 0x201A},  {"ldquo", 0x201C},
              {"rdquo", 0x201D}, {"bdquo", 0x201E},  {"lsaquo", 0x2039}, {"rsaquo", 0x203A},
              {"bull", 0x2022},  {"hellip", 0x2026}, {"trade", 0x2122},  {"OElig", 0x152},
              {"oelig", 0x153},  {"Scaron", 0x160},  {"scaron", 0x161},  {"Yuml", 0x178}};
  std::istringstream latin(kLatin);
  std::string name;
  for (char32_t point = kNoBreakSpace; latin >> name; ++point)
    names.emplace(name, point);
  return names;
}

// What Windows has in the places 128 to 159; 0: nothing.
constexpr std::array<char32_t, 32> kWindows = {
    0x20AC, 0,      0x201A, 0x192,  0x201E, 0x2026, 0x2020, 0x2021, 0x2C6,  0x2030, 0x160,
    0x2039, 0x152,  0,      0x17D,  0,      0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x2DC,  0x2122, 0x161,  0x203A, 0x153,  0,      0x17E,  0x178};

// "#233", "#xE9"; 0: no character.
char32_t numbered(std::string_view name) {
  const bool hex = name.size() > 1 && (name[1] == 'x' || name[1] == 'X');
  const auto number = to_number<unsigned>(name.substr(hex ? 2 : 1), hex ? 16 : 10);
  if (!number || *number > 0x10FFFF || (*number >= 0xD800 && *number <= 0xDFFF)) return 0;
  const bool of_windows = *number >= 128 && *number < 160;
  return of_windows ? kWindows[*number - 128] : char32_t{*number};
}

// Elements that begin on a line of their own, and those that end one.
constexpr std::string_view kBlocks[] = {"br", "p",  "div", "li", "ul",    "ol",
                                        "tr", "td", "th",  "h1", "h2",    "h3",
                                        "h4", "h5", "h6",  "hr", "table", "blockquote"};
constexpr std::string_view kHidden[] = {"script", "style"};

class Html {
 public:
  explicit Html(std::string_view text) : text_(text), lower_(config::lower_case(text)) {}

  std::string shown() {
    std::string shown;
    while (at_ < text_.size()) {
      if (text_[at_] == '<' && leave_out(shown)) continue;
      const std::size_t entity = text_[at_] == '&' ? read_entity(text_, at_, shown) : 0;
      if (entity == 0) shown += text_[at_];
      at_ += std::max<std::size_t>(entity, 1);
    }
    return shown;
  }

 private:
  // Behind a comment or tag that begins here, and what it hides; false: none begins.
  bool leave_out(std::string& shown) {
    if (text_.substr(at_).starts_with("<!--")) {
      at_ = behind("-->", at_ + 4);
      return true;
    }
    const std::size_t name = at_ + (text_.substr(at_ + 1, 1) == "/" ? 2 : 1);
    const char first = name < lower_.size() ? lower_[name] : ' ';
    if (!(first >= 'a' && first <= 'z') && first != '!' && first != '?') return false;
    const auto end = tag_end(name);
    if (!end) return false;
    const std::string element = lower_.substr(name, lower_.find_first_of(" \t\r\n/>", name) - name);
    const bool opens = name == at_ + 1;
    at_ = *end + 1;
    if (std::ranges::find(kBlocks, element) != std::end(kBlocks)) shown += ' ';
    if (opens && std::ranges::find(kHidden, element) != std::end(kHidden))
      at_ = std::min(lower_.find("</" + element, at_), lower_.size());
    return true;
  }

  std::size_t behind(std::string_view what, std::size_t from) const {
    const auto found = text_.find(what, from);
    return found == std::string_view::npos ? text_.size() : found + what.size();
  }

  // The '>' of a tag, not one within quotes. A text with a quote that has no end is read without
  // regard to quotes from then on, so that it is not read again and again.
  std::optional<std::size_t> tag_end(std::size_t from) {
    char quote = 0;
    for (std::size_t i = from; heeds_quotes_ && i < text_.size(); ++i) {
      const char c = text_[i];
      if (quote != 0)
        quote = c == quote ? '\0' : quote;
      else if (c == '>')
        return i;
      else if (c == '"' || c == '\'')
        quote = c;
    }
    heeds_quotes_ = false;
    if (last_ == std::string_view::npos || from > last_) return std::nullopt;
    return text_.find('>', from);
  }

  std::string_view text_;
  std::string lower_;
  std::size_t at_ = 0;
  std::size_t last_ = text_.rfind('>');
  bool heeds_quotes_ = true;
};

}  // namespace

std::size_t read_entity(std::string_view text, std::size_t at, std::string& to) {
  static const Names kNames = entity_names();
  if (text[at] != '&') return 0;
  const auto end = text.substr(0, at + kEntityBytes).find(';', at);
  if (end == std::string_view::npos) return 0;
  const auto name = text.substr(at + 1, end - at - 1);
  const auto named = kNames.find(std::string(name));
  const char32_t point = named != kNames.end()   ? named->second
                         : name.starts_with('#') ? numbered(name)
                                                 : 0;
  if (point == 0) return 0;
  to += config::utf8_of(std::u32string(1, point));
  return end - at + 1;
}

std::string text_of_html(std::string_view html) {
  constexpr std::string_view kHard = "\u00A0";
  const std::string shown = Html(html).shown();
  std::string text;
  bool gap = false;
  for (std::size_t at = 0; at < shown.size();) {
    const bool hard = std::string_view(shown).substr(at).starts_with(kHard);
    const bool blank = hard || std::string_view(" \t\r\n\f\v").find(shown[at]) != kHard.npos;
    if (!blank) {
      if (gap && !text.empty()) text += ' ';
      text += shown[at];
    }
    gap = blank;
    at += hard ? kHard.size() : 1;
  }
  return text;
}

}  // namespace surveybridge::mapping
