#include "daemon/status/html.hpp"

#include <fmt/format.h>

#include "daemon/job/length_text.hpp"
#include "mapping/values/dates.hpp"

namespace surveybridge::daemon {

namespace {

// Colours for light and dark screens; every meaning is also said in words.
constexpr const char* kStyle = R"(
:root{color-scheme:light dark;--line:#c8c8c8;--soft:#595959;--good:#0a6b2d;--wait:#7a4b00;--act:#b3141b;--link:#0b4fb3}
@media(prefers-color-scheme:dark){:root{--line:#4a4a4a;--soft:#b0b0b0;--good:#6fd88f;--wait:#f0b94a;--act:#ff8a8a;--link:#8ab4ff}}
body{font:16px/1.5 system-ui,sans-serif;margin:1.5em auto;max-width:64em;padding:0 1em}
h1{font-size:1.1em;margin:0;color:var(--soft);font-weight:600}
.verdict{font-size:1.35em;margin:.2em 0 1em;padding-left:.6em;border-left:.3em solid;overflow-wrap:anywhere}
.verdict b{text-transform:uppercase;letter-spacing:.03em}
.well{border-color:var(--good)}.well b{color:var(--good)}
.waits{border-color:var(--wait)}.waits b{color:var(--wait)}
.act{border-color:var(--act)}.act b{color:var(--act)}
h2{font-size:1.2em;margin:1em 0 .3em}
ol{padding-left:1.4em}li{margin:.4em 0}
ol code,dt code{display:block;width:fit-content;max-width:100%;box-sizing:border-box;margin-top:.2em}ol br,dt br{display:none}
code span{display:inline-block;max-width:100%}
a{color:var(--link);text-underline-offset:.15em}
a:focus-visible{outline:3px solid var(--link);outline-offset:2px}
nav a[aria-current]{font-weight:600;color:inherit}
nav li{padding:.2em 0}
nav ul{display:flex;flex-wrap:wrap;gap:.2em 1em;list-style:none;margin:.6em 0;padding:0}
dl{margin:.6em 0}dd{margin:.1em 0 .6em;color:var(--soft)}
code{font:0.95em ui-monospace,monospace;padding:.1em .3em;border:1px solid var(--line);border-radius:3px;overflow-wrap:anywhere}
table{border-collapse:collapse;width:100%;margin:1.5em 0}
caption{text-align:left;font-weight:600;font-size:1.1em;padding:.3em 0}
td,th{text-align:left;vertical-align:top;padding:.25em 1em .25em 0;border-bottom:1px solid var(--line);overflow-wrap:break-word}
td[data-name=instance],td[data-name=key],td[data-name=reason],td[data-name="who waits"]{overflow-wrap:anywhere}
td[data-name=key]{min-width:9em}
td[data-name=since],td[data-name=told],td[data-name=sent],td[data-name="last seen"],td[data-name="last finished"],td[data-name="done since start"],td[data-name=for],td[data-name="next step"]{white-space:nowrap}
th{color:var(--soft);font-weight:600}
footer{color:var(--soft);margin:2em 0}
@page{size:A4}@media print{tr{break-inside:avoid}caption,thead{break-after:avoid}}
small{color:var(--soft)}
.note{color:var(--soft);margin:-1em 0 1.5em}.verdict+.note{margin-top:-.8em}
@media(max-width:40em){thead{position:absolute;left:-9999px}tr{display:block;padding:.4em 0;border-bottom:1px solid var(--line)}
td{display:flex;gap:.8em;border:0;padding:.1em 0;overflow-wrap:anywhere}td:empty{display:none}
td::before{content:attr(data-name);color:var(--soft);flex:0 0 8.5em}}
)";

std::string cell_html(const char* name, const Cell& cell) {
  std::string text = prose_html(cell.text);
  if (!cell.note.empty())
    text = fmt::format("<span>{}<br><small>{}</small></span>", text, escaped(cell.note));
  return fmt::format(
      "<td data-name=\"{}\">{}</td>", name,
      cell.link.empty() ? text : fmt::format("<a href=\"{}\">{}</a>", escaped(cell.link), text));
}

}  // namespace

std::string table(std::string_view title, const std::vector<const char*>& head,
                  const std::vector<Cells>& rows) {
  if (rows.empty()) return "";
  std::string html = fmt::format("<table>\n<caption>{}</caption>\n<thead><tr>", title);
  for (const auto* cell : head)
    html += fmt::format("<th scope=\"col\">{}</th>", cell);
  html += "</tr></thead>\n<tbody>\n";
  for (const auto& row : rows) {
    html += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i)
      html += cell_html(head.at(i), row[i]);
    html += "</tr>\n";
  }
  return html + "</tbody></table>\n";
}

Cell time_cell(const std::optional<TimePoint>& at, const std::string& zone) {
  Cell cell(at ? second_text(*at) : "never");
  if (at && !zone.empty() && zone != "UTC") {
    cell.note =
        mapping::write_local(mapping::to_zone(std::chrono::floor<std::chrono::seconds>(*at), zone));
    cell.note.at(10) = ' ';
  }
  return cell;
}

std::string html_page(const std::string& title, const std::string& host, const std::string& body,
                      bool reloads) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">{}"
      "<title>{} - surveybridge on {}</title><style>{}</style></head>\n<body>\n"
      "<h1>surveybridge on {}</h1>\n{}</body></html>\n",
      reloads ? "<meta http-equiv=\"refresh\" content=\"10\">" : "", escaped(title), escaped(host),
      kStyle, escaped(host), body);
}

}  // namespace surveybridge::daemon
