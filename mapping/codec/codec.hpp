// Records to JSON and XML and back, by the one description. Pure. Reading is tolerant
// (docs/SERVICE.md 2): names without regard to case, unknown members ignored, absent = null,
// enumerations as number or name. Limits bound it.
#pragma once

#include <bitset>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "config/settings.hpp"
#include "mapping/interface/record.hpp"

namespace surveybridge::mapping {

enum class Format { json, xml };

struct Limits {
  std::size_t bytes = 64 * 1024 * 1024;
  std::size_t depth = 64;
  std::size_t items = 400'000;     // items of all lists in one body
  std::size_t values = 2'000'000;  // fields with a value in all records: the memory of a page
  std::size_t page = 400'000;      // items of a page, of whatever kind
};

// Namespaces of the elements that are written; empty: none.
struct XmlNamespaces {
  std::string all;         // the default one
  std::string list_items;  // of the items of a list of scalars; empty: `all`
};

// How to read what docs/SERVICE.md 2 leaves open.
struct Reading {
  std::string time_zone = "UTC";  // IANA name, for dates without an offset
  Limits limits;
  // A record of a page that cannot be read is set aside, and the others are read. False: it makes
  // the page malformed.
  bool set_aside = false;
  // By them the value of an enumeration that comes as a number gets its name, and the other way
  // round. Null: none are known.
  const config::EnumerationNames* names = nullptr;
};

// A body that is not what was requested. `place` is a path in the body
// ("Customers[3].Status.StatusCode"), `rule` the sentence ("expected integer, got \"x\"").
struct Malformed {
  std::string place;
  std::string rule;
  bool of_syntax = false;  // it is not well-formed
};

// How a rule goes on that is broken by a page which says so of itself.
inline constexpr std::string_view kNotWhole = "is not whole";

// Of the text of a record that cannot be read.
inline constexpr std::size_t kRawBytes = 64 * 1024;

// A record of a page that cannot be read: the first fault in it, what could be read of it, and its
// text, of at most 64 KiB. A record without the number that is its key cannot be read either.
struct Unreadable {
  Malformed fault;
  Record partial;
  std::string raw;
  std::bitset<Slots::kMost> unread = {};  // fields, by position, whose value could not be read

  // Does the record say something in this field that `partial` does not, or may it? Throws
  // std::out_of_range for an unknown name.
  bool hides(std::string_view field) const;
};

// Stands in a cursor for what was no text.
inline constexpr std::string_view kNoText = "\uFFFD";

// One page of a list operation: {"Customers":[…],"NextCursor":"…"} (docs/SERVICE.md 4.2 to 4.4).
struct Page {
  std::vector<Record> records;
  std::string next_cursor;         // empty: absent, null, empty or blank; kNoText: no text
  bool finer_than_stored = false;  // an instant had digits beyond microseconds, which were cut
  std::vector<Unreadable> unreadable = {};
  std::size_t bytes = 0;  // of the body
  // There was no list: an empty body, `null`, `[]`, or an object whose list is null or absent and
  // that has no member besides but a cursor. Some services answer so where they have nothing to
  // list, and others where something is broken.
  bool bare = false;
  // What it says of the whole list ("TotalCount", "TotalPages"), 0: nothing.
  std::int64_t total = 0, pages = 0;
};

// `list` is the name of the page's array ("Customers"), `item` its description. `content_type` is
// the header's value; without one, the first byte decides. Malformed: a body that is not such a
// page (HTML with 200, a body that is cut off), a member that occurs twice in one object, a number
// beyond its type, text that is not UTF-8; an object without its list, but with other members, or
// with one that says that the request has failed, that the page is not whole, or that more follows
// though there is no cursor. With `set_aside` a record that is not well-formed is mended where that
// changes no meaning, else set aside, and the others are read; so is text between the items in XML.
// U+0000 in a text is read as U+FFFD: XML cannot contain it, and no database stores it.
std::variant<Page, Malformed> read_page(std::string_view body, std::string_view content_type,
                                        std::string_view list, const Resource& item,
                                        const Reading& reading);

// One object by its description, read as tolerantly as a page.
std::variant<Record, Malformed> read_record(std::string_view body, std::string_view content_type,
                                            const Resource& shape, const Reading& reading);

// Writes a record. Null scalars, absent objects and empty lists are left out. Instants are in UTC
// with "Z" and with the fractional digits that they have. Enumerations are numbers in JSON and
// names in XML; where only the other form is known, that one is written. Bytes that are not UTF-8,
// and in XML control characters, become U+FFFD.
std::string write(const Record& record, Format format, const XmlNamespaces& namespaces = {});

// An object of JSON with this member alone, as a text.
std::string write_member(std::string_view name, const Value& value);
// The member with this name of a JSON object; of two the last counts. Null: there is none, or it is
// null. An object or list is its text. Empty: the text is no object.
std::optional<Value> read_member(std::string_view object, std::string_view name);

// The body behind an XML declaration and comments, and without what stands before its first sign.
std::string_view behind_declarations(std::string_view body);

// Does the text of a member like "success" deny it?
bool reads_false(std::string_view text);
// Does the text of a member like "error" say that there is none?
bool says_nothing(std::string_view text);

// The message of an error body, in any of the shapes of docs/SERVICE.md 7.
struct ServiceError {
  // One line of at most 500 characters and an ellipsis. It may contain personal data: never log it.
  std::string message;
  std::vector<std::size_t> customers;  // indexes into Customers that it names, ascending, unique
};
ServiceError read_error(std::string_view body, std::string_view content_type);

// Whether an answer that says "done" names something that was refused, in the usual notations of
// services: "success": false, "errors" with an entry, a "status" of 400 or more, "false" alone.
struct NamedRefusal {
  std::string words;     // what it names, in our words, safe to log; empty: nothing
  bool is_read = false;  // false: a body that claims or begins as JSON or XML has no end as such
};
// A text that is the whole body may hold JSON itself, which is read too.
NamedRefusal named_refusal(std::string_view body, std::string_view content_type);

}  // namespace surveybridge::mapping
