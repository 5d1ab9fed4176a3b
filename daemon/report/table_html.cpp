#include "daemon/report/table_html.hpp"

#include <fmt/format.h>

#include "daemon/report/html_text.hpp"

namespace surveybridge::daemon {

namespace {

using Kind = ReportColumn::Kind;

bool has_digit(const std::string& text) {
  return text.find_first_of("0123456789") != std::string::npos;
}

// "2026-09-07" is not broken.
bool is_day(const std::string& text) {
  return text.size() == 10 && text.find_first_not_of("0123456789-") == std::string::npos;
}

const char* class_of(OnPhone on_phone) {
  switch (on_phone) {
    case OnPhone::stack:
      return " class=\"stack\"";
    case OnPhone::flow:
      return " class=\"stack flow\"";
    case OnPhone::table:
      break;
  }
  return "";
}

std::string cell_html(const ReportColumn& column, const ReportCell& cell) {
  if (column.kind == Kind::name)
    return fmt::format("<th scope=\"row\" class=\"{}\">{}</th>",
                       is_day(cell.text) ? "name day" : "name", data_html(cell.text));
  const std::string name = escaped(column.title);
  if (column.kind == Kind::text)
    return fmt::format("<td class=\"name\" data-name=\"{}\">{}</td>", name, data_html(cell.text));
  // Words instead of a figure may be broken.
  const bool words = cell.numbers.size() > 1 || !cell.numbers.at(0).has_value();
  return fmt::format("<td class=\"figure{}\" data-name=\"{}\">{}</td>",
                     words && (!has_digit(cell.text) || cell.text.size() > 16) ? " words" : "",
                     name, escaped(cell.text));
}

}  // namespace

std::string data_html(std::string_view text) {
  return "<bdi>" + escaped(text) + "</bdi>";
}

std::string table_html(const ReportTable& table, OnPhone on_phone) {
  if (table.rows.empty()) {
    return fmt::format("<h3>{}</h3>\n<p>{}</p>\n", data_html(table.caption),
                       escaped(table.nothing));
  }
  std::string html = fmt::format("<table id=\"{}\"{}>\n<caption>{}</caption>\n<thead><tr>",
                                 table.id, class_of(on_phone), data_html(table.caption));
  for (const auto& column : table.columns)
    if (!column.title.empty())
      html += fmt::format("<th scope=\"col\"{}>{}</th>",
                          column.kind == Kind::figure ? "" : " class=\"name\"",
                          data_html(column.title));
  html += "</tr></thead>\n<tbody>\n";
  for (const auto& row : table.rows) {
    html += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i)
      if (!table.columns.at(i).title.empty()) html += cell_html(table.columns[i], row[i]);
    html += "</tr>\n";
  }
  return html + "</tbody></table>\n";
}

}  // namespace surveybridge::daemon
