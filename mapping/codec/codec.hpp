// Records to bytes and back, JSON (and XML in xml_codec) over the one description. Pure.
// Reading is tolerant as docs/SERVICE.md 2 says: names without regard to case, unknown members
// ignored, absent = null, enumerations as number or name; and bounded by Limits.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "mapping/interface/record.hpp"

namespace surveybridge::mapping {

enum class Format { json, xml };

struct Limits {
  std::size_t bytes = 64 * 1024 * 1024;
  std::size_t depth = 64;
  std::size_t items = 400'000;     // members of lists in one body, of those inside others too
  std::size_t values = 2'000'000;  // filled fields of all records: what a page costs in memory
};

// Of the elements that are written; empty: none.
struct XmlNamespaces {
  std::string all;         // the default one
  std::string list_items;  // of the items of a list of scalars; empty: as all others
};

// How to read what docs/SERVICE.md 2 leaves open.
struct Reading {
  std::string time_zone = "UTC";  // IANA name, for dates without an offset
  Limits limits;
};

// A body that cannot be what was asked for. `place` is a path in the document
// ("Customers[3].Status.StatusCode"), `rule` the sentence ("expected integer, got \"x\"").
struct Malformed {
  std::string place;
  std::string rule;
};

// One page of a list operation: {"Customers":[…],"NextCursor":"…"} (docs/SERVICE.md 4.2 to 4.4).
struct Page {
  std::vector<Record> records;
  std::string next_cursor;         // empty: absent, null, empty or blank
  bool finer_than_stored = false;  // an instant had digits beyond microseconds, which were cut
};

// `list` is the name of the page's array ("Customers"), `item` its description.
// `content_type` is the header's value; where it says nothing, the first byte decides.
// Anything that is not a page of that kind (HTML with 200, a cut-off body) is Malformed; so is a
// member that comes twice in one object, a number beyond its type, text that is not UTF-8. U+0000
// in text is read as U+FFFD: XML cannot hold it, and no database takes it.
std::variant<Page, Malformed> read_page(std::string_view body, std::string_view content_type,
                                        std::string_view list, const Resource& item,
                                        const Reading& reading);

// One object by its description, read as tolerantly as a page of them.
std::variant<Record, Malformed> read_record(std::string_view body, std::string_view content_type,
                                            const Resource& shape, const Reading& reading);

// Writes a record. Null scalars, absent objects and empty lists are left out; instants are written
// in UTC with "Z" and only the fractional digits they have; enumerations as numbers in JSON, by
// name in XML, each the other way where only that is known. Text that is not UTF-8, and in XML the
// control characters that it cannot hold, become U+FFFD.
std::string write(const Record& record, Format format, const XmlNamespaces& namespaces = {});

// What an error body says, in any of the shapes of docs/SERVICE.md 7.
struct ServiceError {
  std::string message;                 // bounded, one line; may hold people's data: never log it
  std::vector<std::size_t> customers;  // indexes into Customers that it names, ascending, unique
};
ServiceError read_error(std::string_view body, std::string_view content_type);

}  // namespace surveybridge::mapping
