#include "daemon/push/current_mapper.hpp"

#include <utility>

#include "daemon/push/attachment_reader.hpp"
#include "daemon/push/push_plan.hpp"

namespace surveybridge::daemon {

namespace {

constexpr Duration kLasts = std::chrono::hours{1};

}  // namespace

std::optional<config::Problem> missing_column(const config::Push& push) {
  const auto missing = [&](const std::string& column, const config::TextPlace& place,
                           const std::string& key) {
    auto rule = std::get<std::string>(mapping::find_column(column, {}));
    return config::Problem{place, "push." + push.name + "." + key,
                           std::move(rule) + ": it lists none at all"};
  };
  if (!push.correlate.empty()) return missing(push.correlate, push.place, "correlate");
  if (push.data.empty()) return std::nullopt;
  const auto& first = push.data.front();
  return missing(first.column, first.place, "customer.Data." + first.column);
}

CurrentMapper::Answer CurrentMapper::get(crm::Source& source, TimePoint now) {
  if (mapper_ && now < until_ && made_for_ == names_of(source.columns())) return &*mapper_;
  const Requester requester{"push." + push_.name, RequestClass::read};
  if (const auto at = context_.pace().attempt(now, requester)) return Later{*at};
  const RequestSlot slot(context_.pace(), RequestClass::read);
  auto columns = context_.api().data_columns(now);
  if (auto* trouble = std::get_if<service::Trouble>(&columns)) return std::move(*trouble);
  return make(source, mapping::to_data_columns(std::get<std::vector<mapping::Record>>(columns)),
              now);
}

CurrentMapper::Answer CurrentMapper::make(crm::Source& source,
                                          const std::vector<mapping::DataColumn>& columns,
                                          TimePoint now) {
  if (auto missing = columns.empty() ? missing_column(push_) : std::nullopt)
    return std::vector<config::Problem>{std::move(*missing)};
  auto names = names_of(source.columns());
  auto made = mapping::Mapper::make(push_, names, columns, context_.settings().crm.time_zone,
                                    read_from_folder);
  if (auto* problems = std::get_if<std::vector<config::Problem>>(&made)) {
    return std::move(*problems);
  }
  mapper_ = std::get<mapping::Mapper>(std::move(made));
  made_for_ = std::move(names);
  auto column = mapping::find_column(push_.correlate, columns);
  auto* found = std::get_if<mapping::DataColumn>(&column);
  correlate_ = found != nullptr ? std::move(*found) : mapping::column_as_written(push_.correlate);
  until_ = now + kLasts;
  return &*mapper_;
}

}  // namespace surveybridge::daemon
