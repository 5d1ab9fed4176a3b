#include "connectors/service/query.hpp"

#include "mapping/values/dates.hpp"

namespace surveybridge::service {

namespace {

using config::ServiceDialect;

class QueryText {
 public:
  void add(std::string_view name, std::string_view value) {
    if (!text_.empty()) text_ += '&';
    text_ += percent_encode_name(name);
    text_ += '=';
    text_ += percent_encode(value);
  }
  std::string take() { return std::move(text_); }

 private:
  // Brackets in a name are part of its syntax and stay; everything else is encoded.
  static std::string percent_encode_name(std::string_view name) {
    std::string out;
    for (const char c : name) {
      if (c == '[' || c == ']') {
        out += c;
      } else {
        out += percent_encode(std::string_view(&c, 1));
      }
    }
    return out;
  }
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
  const auto minutes = offset.count() < 0 ? -offset.count() : offset.count();
  const auto two = [](long long n) { return (n < 10 ? "0" : "") + std::to_string(n); };
  return mapping::write_local(local) + (offset.count() < 0 ? "-" : "+") + two(minutes / 60) + ":" +
         two(minutes % 60);
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

std::string percent_encode(std::string_view text) {
  static constexpr char kHex[] = "0123456789ABCDEF";
  std::string out;
  out.reserve(text.size() * 3);
  for (const char c : text) {
    const bool plain = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '.' || c == '_' || c == '~';
    if (plain) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += '%';
    out += kHex[byte >> 4];
    out += kHex[byte & 15];
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
