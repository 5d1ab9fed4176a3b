#include "daemon/push/current_mapper.hpp"

#include <algorithm>

#include "daemon/push/attachment_reader.hpp"

namespace surveybridge::daemon {

namespace {

constexpr Duration kLasts = std::chrono::hours{1};

bool same_name(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

std::vector<std::string> names_of(const std::vector<crm::Column>& columns) {
  std::vector<std::string> names;
  for (const auto& column : columns)
    names.push_back(column.name);
  return names;
}

}  // namespace

std::optional<std::int64_t> column_id(const std::vector<mapping::DataColumn>& columns,
                                      const std::string& name) {
  for (const auto& column : columns) {
    if (same_name(column.name, name) || same_name(column.display_name, name) ||
        std::to_string(column.id) == name) {
      return column.id;
    }
  }
  return std::nullopt;
}

CurrentMapper::Answer CurrentMapper::get(crm::Source& source, TimePoint now) {
  if (mapper_ && now < until_) return &*mapper_;
  const Requester requester{"push." + push_.name, RequestClass::read};
  if (const auto at = context_.pace().attempt(now, requester)) return Later{*at};
  const RequestSlot place(context_.pace(), RequestClass::read);
  auto columns = context_.api().data_columns(now);
  if (auto* trouble = std::get_if<service::Trouble>(&columns)) return std::move(*trouble);
  return make(source, service::to_data_columns(std::get<std::vector<mapping::Record>>(columns)),
              now);
}

CurrentMapper::Answer CurrentMapper::make(crm::Source& source,
                                          const std::vector<mapping::DataColumn>& columns,
                                          TimePoint now) {
  auto made = mapping::Mapper::make(push_, names_of(source.columns()), columns,
                                    context_.settings().crm.time_zone, read_from_folder);
  if (auto* problems = std::get_if<std::vector<config::Problem>>(&made)) {
    return std::move(*problems);
  }
  mapper_ = std::get<mapping::Mapper>(std::move(made));
  correlate_id_ = push_.correlate.empty() ? std::nullopt : column_id(columns, push_.correlate);
  until_ = now + kLasts;
  return &*mapper_;
}

}  // namespace surveybridge::daemon
