// The service's interface described once, as data (docs/SERVICE.md 2.1 to 2.6). Codecs, DDL,
// upserts, the check of a field map, the reference page and the coverage test use it. A new field
// of the service is one line in descriptions.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace surveybridge::mapping {

enum class Type {
  boolean,
  integer,  // 64 bits
  decimal,
  text,
  guid,         // text of a GUID
  instant,      // ISO 8601 date-time, stored in UTC
  base64,       // bytes, base64 on the wire
  enumeration,  // a number in JSON, a name in XML
  object,       // `of` describes it
};

struct Resource;

struct Field {
  std::string_view name;  // as the service writes it, in JSON and XML
  Type type = Type::text;
  bool list = false;
  const Resource* of = nullptr;    // an object's or a list of objects' description
  std::string_view xml_item = "";  // a list's item element (table of docs/SERVICE.md 2)
  std::string_view table = "";     // the child table of a list of objects, empty where not stored
};

struct Resource {
  std::string_view name;        // as docs/SERVICE.md 2 calls it
  std::string_view table = "";  // its table in the CRM's database; empty: only sent, not stored
  std::span<const Field> fields;

  // The field with this name, without regard to case; nullptr where there is none.
  const Field* find(std::string_view field_name) const;
  // Position of `field` in `fields`.
  std::size_t index(const Field& field) const;
};

// What is sent: 2.1 and 2.2.
const Resource& import_batch();
const Resource& import_customer();
const Resource& customer_data();
// What is read: 2.4, 2.5, 2.6, 2.3, and the statuses of 3.
const Resource& customer();
const Resource& rating();
const Resource& bouncer();
const Resource& data_column();
const Resource& status();

// Those that are stored in tables of their own.
std::span<const Resource* const> root_resources();

// By the name that the interface document gives it: "BouncedCustomer". std::out_of_range for any
// other name (a programming error, never input).
const Resource& root_resource(std::string_view name);

// The field with exactly this name, including case; or a sentence with the closest name: `Customer
// has no field "Stauts" (did you mean "Status"?)`.
std::variant<const Field*, std::string> named_field(const Resource& resource,
                                                    std::string_view name);

}  // namespace surveybridge::mapping
