#include "daemon/status/list_page.hpp"

#include <fmt/format.h>

#include "config/text.hpp"
#include "daemon/job/command_text.hpp"
#include "daemon/job/length_text.hpp"
#include "daemon/push/push_plan.hpp"
#include "daemon/report/shown_text.hpp"
#include "daemon/status/html.hpp"
#include "daemon/status/needs.hpp"
#include "http/target.hpp"

namespace surveybridge::daemon {

namespace {

std::string navigation(const ListKind& current, const std::string& report) {
  std::string html = "<nav aria-label=\"Pages\"><ul><li><a href=\"/\">Status</a></li>";
  for (const auto& kind : list_kinds()) {
    html += fmt::format("<li><a href=\"{}\"{}>{}</a></li>", kind.path,
                        &kind == &current ? " aria-current=\"page\"" : "", kind.name);
  }
  if (!report.empty())
    html += fmt::format("<li><a href=\"{}\">Survey report</a></li>", escaped(report));
  return html + "</ul></nav>\n";
}

std::string commands_html(const ListKind& kind, const std::string& file) {
  std::string html = "<dl>\n";
  for (const auto& command : kind.commands) {
    html += fmt::format("<dt><code>{}</code></dt><dd>{}</dd>\n",
                        escaped(with_file(std::string(command.text), file)), escaped(command.does));
  }
  return html + "</dl>\n";
}

std::string caption_of(const ListedRows& listed, int page) {
  const auto rows = static_cast<std::int64_t>(listed.rows.size());
  if (page == 1 && !listed.more)
    return counted(rows, "transaction") + (rows == 1 ? "" : ", the oldest first");
  const std::int64_t before = static_cast<std::int64_t>(page - 1) * kListRows;
  return fmt::format("Transactions {} to {}, the oldest first", before + 1, before + rows);
}

std::string rows_html(const ListedRows& listed, int page, const std::string& zone) {
  if (listed.rows.empty()) return page == 1 ? "<p>There are none.</p>\n" : "<p>No more.</p>\n";
  return table(caption_of(listed, page), {"push", "key", "state", "since", "reason"}, listed.rows,
               [&](const crm::Entry& row) -> Cells {
                 return {row.push, without_addresses(row.key), to_string(row.state),
                         time_cell(row.changed_at, zone),
                         without_addresses(without_service_words(row.reason))};
               });
}

std::string turning_html(const ListKind& kind, const ListedRows& listed, int page) {
  std::string links;
  if (page > 1) {
    links += fmt::format("<li><a rel=\"prev\" href=\"{}?page={}\">Page {}</a></li>", kind.path,
                         page - 1, page - 1);
  }
  if (listed.more && page < kListPages) {
    links += fmt::format("<li><a rel=\"next\" href=\"{}?page={}\">Page {}</a></li>", kind.path,
                         page + 1, page + 1);
  }
  if (listed.more && page == kListPages)
    links += "<li>More are there; the command lists them.</li>";
  return links.empty() ? "" : "<nav aria-label=\"More\"><ul>" + links + "</ul></nav>\n";
}

}  // namespace

std::optional<int> page_in(std::string_view query) {
  const auto form = http::read_form(query);
  if (!form) return std::nullopt;
  std::optional<int> page;
  for (const auto& [name, text] : *form) {
    if (name != "page") continue;
    if (page) return std::nullopt;  // it is there twice
    page = config::to_number<int>(text);
    if (!page || *page < 1 || *page > kListPages) return std::nullopt;
  }
  return page.value_or(1);
}

std::string list_page_of(const ListKind& kind, const ListedRows* listed, int page,
                         const DaemonState& daemon, DatabaseState database) {
  std::string html = navigation(kind, daemon.report);
  html += fmt::format("<h2>{}</h2>\n<p>{}</p>\n", kind.name, kind.meaning);
  html += commands_html(kind, daemon.file);
  if (listed == nullptr) {
    html += fmt::format("<p>{}</p>\n", state_sentence(database));
  } else {
    html += rows_html(*listed, page, daemon.zone) + turning_html(kind, *listed, page);
  }
  html += fmt::format("<footer>surveybridge {}</footer>\n", escaped(daemon.version));
  return html_page(std::string(kind.name), daemon.host, html, false);
}

}  // namespace surveybridge::daemon
