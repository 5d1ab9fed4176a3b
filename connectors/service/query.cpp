#include "connectors/service/query.hpp"

#include <cctype>

#include <fmt/format.h>

#include "mapping/values/dates.hpp"

namespace surveybridge::service {

namespace {

using config::ServiceDialect;

class QueryText {
 public:
  void add(std::string_view name, std::string_view value) {
    if (!text_.empty()) text_ += '&';
    text_ += percent_encode(name, "-._~[]");  // brackets are a part of a name's syntax
    text_ += '=';
    text_ += percent_encode(value);
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

std::string member(const ServiceDialect& dialect, const std::string& object,
                   const std::string& name) {
  return dialect.members == ServiceDialect::Members::dot ? object + "." + name
                                                         : object + "[" + name + "]";
}

std::string write_offset(mapping::Instant instant, const std::string& zone) {
  const auto local = mapping::to_zone(instant, zone);
  const auto offset = std::chrono::duration_cast<std::chrono::minutes>(local.time_since_epoch() -
                                                                       instant.time_since_epoch());
  const auto minutes = std::abs(offset.count());
  return fmt::format("{}{}{:02}:{:02}", mapping::write_local(local), offset.count() < 0 ? '-' : '+',
                     minutes / 60, minutes % 60);
}

std::string write_date(mapping::Instant instant, const ServiceDialect& dialect,
                       const std::string& zone) {
  switch (dialect.dates) {
    case ServiceDialect::Dates::utc:
      break;
    case ServiceDialect::Dates::offset:
      return write_offset(instant, zone);
    case ServiceDialect::Dates::date:
      return mapping::write_local(mapping::to_zone(instant, zone)).substr(0, 10);
  }
  return mapping::write_instant(instant);
}

void add_scalars(QueryText& text, const std::string& name, const Scalars& values,
                 const ServiceDialect& dialect) {
  if (values.empty()) return;
  if (dialect.lists == ServiceDialect::Lists::comma) {
    std::string joined;
    for (const auto& value : values)
      joined += (joined.empty() ? "" : ",") + value;
    text.add(name, joined);
    return;
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool indexed = dialect.lists == ServiceDialect::Lists::indexed;
    text.add(indexed ? name + "[" + std::to_string(i) + "]" : name, values[i]);
  }
}

struct Writer {
  QueryText& text;
  const std::string& name;
  const ServiceDialect& dialect;
  const std::string& zone;

  void operator()(const DateFilter& filter) const {
    if (filter.from)
      text.add(member(dialect, name, dialect.from), write_date(*filter.from, dialect, zone));
    if (filter.to)
      text.add(member(dialect, name, dialect.to), write_date(*filter.to, dialect, zone));
  }
  void operator()(const std::vector<DataFilter>& filters) const {
    for (std::size_t i = 0; i < filters.size(); ++i) {
      const std::string object = name + "[" + std::to_string(i) + "]";
      text.add(member(dialect, object, dialect.data_filter_column),
               std::to_string(filters[i].column_id));
      text.add(member(dialect, object, dialect.data_filter_value), filters[i].value);
    }
  }
  void operator()(const std::vector<AnswerFilter>& filters) const {
    for (std::size_t i = 0; i < filters.size(); ++i) {
      const std::string object = name + "[" + std::to_string(i) + "]";
      for (const auto& [field, values] : filters[i].members)
        add_scalars(text, member(dialect, object, field), values, dialect);
    }
  }
  void operator()(const Scalars& values) const { add_scalars(text, name, values, dialect); }
  void operator()(const std::string& value) const {
    if (!value.empty()) text.add(name, value);
  }
};

}  // namespace

std::string percent_encode(std::string_view text, std::string_view kept) {
  std::string out;
  out.reserve(text.size() * 3);
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (byte < 0x80 && std::isalnum(byte) != 0) || kept.find(c) != kept.npos;
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return out;
}

std::string write_query(const std::vector<Parameter>& parameters, const ServiceDialect& dialect,
                        const std::string& time_zone) {
  QueryText text;
  for (const auto& parameter : parameters) {
    std::visit(Writer{text, parameter.name, dialect, time_zone}, parameter.argument);
  }
  return text.take();
}

std::vector<Scalars> chunks(const std::string& name, const Scalars& values, std::size_t fixed,
                            const ServiceDialect& dialect) {
  constexpr std::size_t kIndexBytes = 8;  // "[99999]" and a separator
  const auto room = static_cast<std::size_t>(dialect.query_bytes);
  std::vector<Scalars> parts;
  std::size_t used = room + 1;
  for (const auto& value : values) {
    const std::size_t size = name.size() + percent_encode(value).size() + 2 + kIndexBytes;
    if (parts.empty() || fixed + used + size > room) {
      parts.emplace_back();
      used = 0;
    }
    parts.back().push_back(value);
    used += size;
  }
  return parts;
}

}  // namespace surveybridge::service
