// Detects the format of a body. A page is read like a record of two members.
#include "mapping/codec/codec.hpp"

#include <fmt/core.h>

#include "mapping/codec/content_type.hpp"
#include "mapping/codec/formats.hpp"
#include "mapping/codec/record_builder.hpp"

namespace surveybridge::mapping {
namespace {

struct Whole {
  Record record;
  bool finer = false;
  std::vector<Unreadable> unreadable = {};
};
using Result = std::variant<Whole, Malformed>;

// Nullopt: the body is not JSON of the usual kind. `foreign`: what a body without any of the
// members is answered by.
std::optional<Result> read_once(std::string_view body, Media media, bool usual,
                                const Resource& shape, const Reading& reading,
                                const Malformed& foreign) {
  Whole whole{Record(shape)};
  RecordBuilder builder(whole.record, reading);
  std::optional<Malformed> malformed;
  if (usual) {
    if (!read_usual_json(body, builder, malformed)) return std::nullopt;
  } else {
    malformed =
        media == Media::json ? read_json(body, builder) : read_xml(body, reading.limits, builder);
  }
  if (malformed) return *std::move(malformed);
  if (builder.is_foreign()) return foreign;
  whole.finer = builder.finer();
  whole.unreadable = builder.take_unreadable();
  return whole;
}

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
  const auto foreign = refused("an object with none of its members");
  if (media == Media::json) {
    if (auto read = read_once(body, media, true, shape, reading, foreign)) return *std::move(read);
  }
  return read_once(body, media, false, shape, reading, foreign).value();
}

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

std::string cursor_of(const Record& page) {
  const auto* cursor = std::get_if<std::string>(&page.slots[1].value);
  return cursor == nullptr || is_blank(*cursor) ? "" : *cursor;
}

}  // namespace

std::variant<Page, Malformed> read_page(std::string_view body, std::string_view content_type,
                                        std::string_view list, const Resource& item,
                                        const Reading& reading) {
  const Field members[] = {{list, Type::object, true, &item}, {"NextCursor", Type::text}};
  const Resource shape{"page", "", members};
  auto read =
      read_whole(body, content_type, shape, reading, fmt::format("an object with \"{}\"", list));
  if (auto* malformed = std::get_if<Malformed>(&read)) return std::move(*malformed);
  auto& [record, finer, unreadable] = std::get<Whole>(read);
  return Page{std::move(record.slots[0].records), cursor_of(record), finer, std::move(unreadable),
              body.size()};
}

std::variant<Record, Malformed> read_record(std::string_view body, std::string_view content_type,
                                            const Resource& shape, const Reading& reading) {
  auto read = read_whole(body, content_type, shape, reading, shape.name);
  if (auto* malformed = std::get_if<Malformed>(&read)) return std::move(*malformed);
  return std::move(std::get<Whole>(read).record);
}

std::string write(const Record& record, Format format, const XmlNamespaces& namespaces) {
  return format == Format::json ? write_json(record) : write_xml(record, namespaces);
}

}  // namespace surveybridge::mapping
