// Detects the format of a body. A page is read like a record of two members.
#include "mapping/codec/codec.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <fmt/core.h>

#include "config/text.hpp"
#include "mapping/codec/formats.hpp"
#include "mapping/codec/mend.hpp"
#include "mapping/codec/record_builder.hpp"
#include "mapping/values/text.hpp"

namespace surveybridge::mapping {

namespace {

std::string_view from_first_sign(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(kBlanks), text.size()));
}

// "application/json" of "application/json; charset=utf-8".
std::string_view type_of(std::string_view content_type) {
  const auto type = from_first_sign(content_type.substr(0, content_type.find(';')));
  return type.substr(0, type.find_last_not_of(kBlanks) + 1);
}

bool begins(std::string_view text, std::string_view start) {
  return same_name(text.substr(0, start.size()), start);
}

bool ends(std::string_view text, std::string_view end) {
  return text.size() > end.size() && same_name(text.substr(text.size() - end.size()), end);
}

bool is_one_of(std::string_view type, std::string_view format) {
  return (begins(type, "application/") && same_name(type.substr(12), format)) ||
         (begins(type, "text/") && same_name(type.substr(5), format)) ||
         (ends(type, format) && type[type.size() - format.size() - 1] == '+');
}

// HTML, as gateways write it.
bool begins_like_html(std::string_view body) {
  body = behind_declarations(body);
  return begins(body, "<!doctype html") ||
         (begins(body, "<html") && body.find_first_of("> \t\r\n") == 5);
}

}  // namespace

std::string_view without_mark(std::string_view body) {
  body = from_first_sign(body);
  while (body.starts_with("\xEF\xBB\xBF"))
    body = from_first_sign(body.substr(3));
  return body;
}

std::string_view behind_declarations(std::string_view body) {
  body = without_mark(body);
  while (body.starts_with("<?") || body.starts_with("<!--")) {
    const std::string_view close = body.starts_with("<?") ? "?>" : "-->";
    const auto end = body.find(close);
    if (end == body.npos) break;
    body = from_first_sign(body.substr(end + close.size()));
  }
  return body;
}

Media media_of(std::string_view body, std::string_view content_type) {
  if (body.empty()) return Media::nothing;
  if (begins_like_html(body)) return Media::html;
  const auto type = type_of(content_type);
  if (is_one_of(type, "json")) return Media::json;
  if (body.front() == '<' &&
      (is_one_of(type, "html") || same_name(type, "application/xhtml+xml"))) {
    return Media::html;
  }
  if (is_one_of(type, "xml")) return Media::xml;
  if (body.front() == '<') return Media::xml;
  return body.front() == '{' || body.front() == '[' || body.front() == '"' ? Media::json
                                                                           : Media::other;
}

namespace {

constexpr std::string_view kMoreFollows = "is not whole: more follows, and there is no cursor";

struct Whole {
  Record record;
  bool finer = false;
  bool has_list = false, has_foreign = false, has_more = false;
  std::int64_t total = 0, pages = 0;
  std::string_view objects = {};  // what it says against itself; empty: nothing
  std::vector<Unreadable> unreadable = {};
};
using Result = std::variant<Whole, Malformed>;

// `expected`: what the body should have been, for the message.
Result read_whole(std::string_view body, std::string_view content_type, const Resource& shape,
                  const Reading& reading, std::string_view expected) {
  const auto refused = [&](std::string_view what) {
    return Malformed{"", fmt::format("expected {}, got {}", expected, what)};
  };
  if (body.size() > reading.limits.bytes) {
    return Malformed{"", fmt::format("{} bytes, more than the {} that are read", body.size(),
                                     reading.limits.bytes)};
  }
  body = without_mark(body);
  const Media media = media_of(body, content_type);
  if (media == Media::nothing) return refused("an empty body");
  if (media == Media::html) return refused("an HTML page");
  if (media == Media::other) return refused("neither JSON nor XML");
  Whole whole{Record(shape)};
  RecordBuilder builder(whole.record, reading);
  auto malformed =
      media == Media::json ? read_json(body, builder) : read_xml(body, reading.limits, builder);
  if (malformed) return *std::move(malformed);
  if (builder.is_foreign()) return refused("an object with none of its members");
  whole.finer = builder.finer();
  whole.has_list = builder.has_list();
  whole.has_foreign = builder.has_foreign();
  whole.has_more = builder.has_more();
  whole.total = builder.total();
  whole.pages = builder.pages();
  if (builder.is_partial()) whole.objects = kNotWhole;
  if (builder.has_failed()) whole.objects = "has failed";
  whole.unreadable = builder.take_unreadable();
  return whole;
}

// A body that is empty, `null` or `[]`.
bool lists_nothing(std::string_view body) {
  std::string text;
  for (const char c : without_mark(body)) {
    if (!is_blank({&c, 1})) text += c;
    if (text.size() > 4) return false;
  }
  return text.empty() || text == "null" || text == "[]";
}

std::string cursor_of(const Record& page) {
  const auto* cursor = std::get_if<std::string>(&page.slots[1].value);
  return cursor == nullptr || is_blank(*cursor) ? "" : *cursor;
}

// No database stores other bytes.
std::string as_utf8(std::string_view raw) {
  std::string text;
  bool harmless = true;
  for (std::size_t at = 0; at < raw.size();) {
    const bool nul = raw[at] == '\0';
    if (nul) text += "\uFFFD";
    at += nul ? 1 : take_character(raw.substr(at), text, harmless);
  }
  return text;
}

// A record that was cut out, with what can be read of it. Where the reading stopped before its end,
// any field that is empty may have been behind that place.
Unreadable unreadable_of(const Mended::Cut& cut, Media media, const Resource& item,
                         std::string_view list, const Reading& reading) {
  Unreadable unreadable{{fmt::format("{}[{}]", list, cut.item), "is not well-formed", true},
                        Record(item),
                        as_utf8(config::first_bytes(cut.raw, kRawBytes))};
  Reading strict = reading;
  strict.set_aside = false;
  RecordBuilder builder(unreadable.partial, strict);
  const std::string& text = cut.legible.empty() ? cut.raw : cut.legible;
  const bool is_whole =
      media == Media::json ? !read_json(text, builder) : read_xml_as_far_as_it_goes(text, builder);
  unreadable.unread = builder.unread();
  for (std::size_t field = 0; !is_whole && field < item.fields.size(); ++field) {
    if (std::as_const(unreadable.partial).slots[field].is_empty()) unreadable.unread.set(field);
  }
  return unreadable;
}

// Where single records of the page are not well-formed; the others are read. Empty: it is not that.
std::optional<Result> read_mended(std::string_view body, std::string_view content_type,
                                  const Resource& shape, const Reading& reading,
                                  std::string_view expected) {
  body = without_mark(body);
  const auto& list = shape.fields.front();
  const Media media = media_of(body, content_type);
  auto mended = media == Media::json ? mend_json(body, list.name, *list.of, reading.limits)
                                     : mend_xml(body, list.name, reading.limits);
  if (!mended) return std::nullopt;
  auto read = read_whole(mended->body, content_type, shape, reading, expected);
  auto* whole = std::get_if<Whole>(&read);
  if (whole == nullptr) return std::nullopt;
  for (const auto& cut : mended->cut)
    whole->unreadable.push_back(unreadable_of(cut, media, *list.of, list.name, reading));
  return read;
}

}  // namespace

bool Unreadable::hides(std::string_view field) const {
  const Field* found = partial.resource->find(field);
  if (found == nullptr) throw std::out_of_range("no field " + std::string(field));
  return unread.test(partial.resource->index(*found));
}

std::variant<Page, Malformed> read_page(std::string_view body, std::string_view content_type,
                                        std::string_view list, const Resource& item,
                                        const Reading& reading) {
  const Field members[] = {{list, Type::object, true, &item}, {"NextCursor", Type::text}};
  const Resource shape{"page", "", members};
  const std::string expected = fmt::format("an object with \"{}\"", list);
  if (lists_nothing(body)) {
    Page page;
    page.bare = true;
    return page;
  }
  auto read = read_whole(body, content_type, shape, reading, expected);
  if (auto* malformed = std::get_if<Malformed>(&read)) {
    auto mended = reading.set_aside && malformed->of_syntax
                      ? read_mended(body, content_type, shape, reading, expected)
                      : std::nullopt;
    if (!mended) return std::move(*malformed);
    read = *std::move(mended);
  }
  auto& whole = std::get<Whole>(read);
  auto cursor = cursor_of(whole.record);
  if (whole.objects.empty() && whole.has_list && whole.has_more && cursor.empty())
    whole.objects = kMoreFollows;
  if (!whole.objects.empty())
    return Malformed{
        "", fmt::format("expected {}, got one that says that it {}", expected, whole.objects)};
  if (!whole.has_list && whole.has_foreign)
    return Malformed{"", fmt::format("expected {}, got one where that is null or absent, beside "
                                     "other members",
                                     expected)};
  // A page with another behind it is no end, and has its list.
  if (!whole.has_list && !cursor.empty())
    return Malformed{"", fmt::format("expected {}, got one where that is null or absent, beside a "
                                     "cursor",
                                     expected)};
  return Page{std::move(whole.record.slots[0].records),
              std::move(cursor),
              whole.finer,
              std::move(whole.unreadable),
              body.size(),
              !whole.has_list,
              whole.total,
              whole.pages};
}

std::variant<Record, Malformed> read_record(std::string_view body, std::string_view content_type,
                                            const Resource& shape, const Reading& reading) {
  auto read = read_whole(body, content_type, shape, reading, shape.name);
  if (auto* malformed = std::get_if<Malformed>(&read)) return std::move(*malformed);
  return std::move(std::get<Whole>(read).record);
}

}  // namespace surveybridge::mapping
