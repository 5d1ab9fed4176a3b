#include <algorithm>
#include <array>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "daemon/report/figures.hpp"
#include "daemon/report/pictures.hpp"

namespace surveybridge::daemon {

namespace {

// The style sheet: screen and paper, light and dark, wide and as narrow as a phone. Colours only
// support: bars have patterns or edges, lines have dashes, and every number is a word.
const char* const kReportStyle = R"(
:root{color-scheme:light dark;--ink:#16202b;--soft:#51606f;--line:#d3dae1;--mark:#1d4f86;--light:#9db9d8;--band:#1d4f8626;--link:#0b4fb3}
@media screen and (prefers-color-scheme:dark){:root{--ink:#e4e9ee;--soft:#a9b5c1;--line:#3a444e;--mark:#8dbcf0;--light:#476a91;--band:#8dbcf033;--link:#8ab4ff}}
*{box-sizing:border-box}
body{font:16px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif;color:var(--ink);margin:0 auto;max-width:66em;padding:1.5em 1em 3em}
h1{font-size:1.1em;margin:0;font-weight:600;color:var(--soft)}
h2{font-size:1.3em;line-height:1.25;margin:2.4em 0 .2em;padding-top:.7em;border-top:1px solid var(--line);font-weight:650}
h3{font-size:1em;margin:0;font-weight:650;overflow-wrap:anywhere}
p{margin:.4em 0}
.soft{color:var(--soft)}
.verdict{font-size:1.35em;line-height:1.4;margin:.5em 0 0;max-width:42em;overflow-wrap:anywhere;text-wrap:pretty}
a{color:var(--link);text-underline-offset:.15em;overflow-wrap:anywhere}
a:focus-visible{outline:3px solid var(--link);outline-offset:2px}
nav{margin:.8em 0}
nav b{display:block;font-size:.85em;color:var(--soft);font-weight:600}
nav ul{display:flex;flex-wrap:wrap;gap:.1em 1.1em;list-style:none;margin:0;padding:0}
nav a[aria-current]{font-weight:650;color:inherit}
nav li{padding:.2em 0}
.tiles{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,11.5em),1fr));gap:1em;list-style:none;margin:1.6em 0 0;padding:0}
.tiles li{border:1px solid var(--line);border-radius:6px;padding:.8em 1em;min-width:0}
.tiles h3{font-size:.9em;color:var(--soft)}
.tiles .value{font-size:2.1em;line-height:1.2;font-weight:650;font-variant-numeric:tabular-nums;margin:.1em 0}
.tiles .value.none{font-size:1.15em;font-weight:500;line-height:1.5;padding:.3em 0}
.tiles p{margin:0;font-size:.9em}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,25em),1fr));gap:2em 3em;margin-top:1em}
.cards>section{min-width:0}
figure{margin:.2em 0 .6em}
@media screen and (min-width:56em){.cards figcaption{min-height:4.5em}.cards.plain figcaption{min-height:0}}
figcaption{font-size:.9em;color:var(--soft);overflow-wrap:anywhere}
svg{display:block;width:100%;max-width:30em;height:auto;margin-top:.6em;overflow:visible}
svg text{font-size:12px;fill:var(--ink);font-variant-numeric:tabular-nums}
svg .soft{fill:var(--soft);font-size:11px}svg .strong{font-size:11px;font-weight:650}
.bar{fill:var(--mark)}
.bar.light{fill:var(--light);stroke:var(--mark)}.bar.open{fill:none;stroke:var(--mark);stroke-dasharray:3 2}
.grid{stroke:var(--line)}.base{stroke:var(--soft)}
.total{stroke:var(--soft);stroke-width:1.2;stroke-dasharray:5 4}
.band{fill:var(--band);stroke:var(--mark);stroke-width:.5;stroke-opacity:.6}
.curve{fill:none;stroke:var(--mark);stroke-width:2;stroke-linejoin:round}
.whisker{stroke:var(--mark);stroke-width:1.5}
.dot{fill:var(--mark);stroke:Canvas;stroke-width:1}
.dot.open{fill:Canvas;stroke:var(--mark);stroke-width:2}
table{border-collapse:collapse;width:100%;margin:.8em 0 1.2em;font-size:.9em}
caption{text-align:left;font-weight:650;padding:.3em 0;overflow-wrap:anywhere}
td,th{padding:.25em 0 .25em .9em;border-bottom:1px solid var(--line);text-align:right;vertical-align:top;font-variant-numeric:tabular-nums}
td:first-child,th:first-child{padding-left:0}
th.name,td.name{text-align:left;overflow-wrap:anywhere;min-width:6em}
thead th{color:var(--soft);font-weight:600;vertical-align:bottom}
tbody th{font-weight:500}
td.figure{white-space:nowrap}td.figure.words{white-space:normal}
th.day{white-space:nowrap}
ul.notes{padding-left:1.2em;color:var(--soft);font-size:.9em;max-width:52em}
footer{color:var(--soft);font-size:.9em;margin-top:2em}
code{font:.95em ui-monospace,monospace;overflow-wrap:anywhere}
@media screen and (max-width:40em){
body{padding:1em .9em 2em}.verdict{font-size:1.2em}
.tiles{grid-template-columns:repeat(2,minmax(0,1fr));gap:.6em}.tiles li{padding:.6em .7em}.tiles .value{font-size:1.7em}
table{font-size:.85em}td,th{padding-left:.45em}.stack{font-size:.9em}
.stack thead{position:absolute;left:-9999px}
.stack tr{display:block;padding:.5em 0;border-bottom:1px solid var(--line)}
.stack td,.stack tbody th{display:flex;gap:.8em;border:0;padding:.1em 0;text-align:left;white-space:normal;overflow-wrap:anywhere}
.stack tbody th{font-weight:650}
.stack td:empty{display:none}
.stack td::before{content:attr(data-name);color:var(--soft);flex:0 0 8em}
.flow tr{display:flex;flex-wrap:wrap;gap:0 1.2em}
.flow tbody th{flex:0 0 100%}
.flow td{gap:.4em}.flow td::before{flex:none}
td.figure{white-space:normal}
}
@page{size:A4;margin:15mm}
@media print{
:root{color-scheme:light}
body{font-size:10pt;max-width:none;padding:0}
nav{display:none}a{color:inherit}
.cards{display:block}.cards>section{margin:0 0 1.2em}
h2{margin-top:1.4em;break-after:avoid}h3,caption,figcaption{break-after:avoid}
tr,p,figure,svg,li,.notes{break-inside:avoid}h2+p,thead,thead tr{break-after:avoid}h3+figure,tbody tr:nth-child(-n+3),tbody tr:nth-last-child(-n+2){break-before:avoid}
thead{display:table-header-group}
.bar,.band,.dot{print-color-adjust:exact;-webkit-print-color-adjust:exact}
}
)";

// A text of the database, which may run from right to left.
std::string data_html(std::string_view text) {
  return "<bdi>" + escaped(text) + "</bdi>";
}

bool has_digit(const std::string& text) {
  return text.find_first_of("0123456789") != std::string::npos;
}

// "2026-09-07" and "Sep 2026" are not broken.
bool is_day(const std::string& text) {
  return text.size() == 10 && text.find_first_not_of("0123456789-") == std::string::npos;
}

// Of the layouts of a table.
constexpr std::array kClasses = {"", " class=\"stack\"", " class=\"stack flow\""};

std::string cell_html(const ReportColumn& column, const ReportCell& cell) {
  if (column.kind == ReportColumn::Kind::name)
    return fmt::format("<th scope=\"row\" class=\"{}\">{}</th>",
                       is_day(cell.for_programs()) ? "name day" : "name", data_html(cell.text));
  const std::string name = escaped(column.title);
  if (column.kind == ReportColumn::Kind::text)
    return fmt::format("<td class=\"name\" data-name=\"{}\">{}</td>", name, data_html(cell.text));
  // Words instead of a figure may be broken.
  const bool words = cell.numbers.size() > 1 || !cell.numbers.at(0).has_value();
  return fmt::format("<td class=\"figure{}\" data-name=\"{}\">{}</td>",
                     words && (!has_digit(cell.text) || cell.text.size() > 16) ? " words" : "",
                     name, escaped(cell.text));
}

// Without rows: what the table says instead.
std::string table_html(const ReportTable& table) {
  if (table.rows.empty()) {
    return fmt::format("<h3>{}</h3>\n<p>{}</p>\n", data_html(table.caption),
                       escaped(table.nothing));
  }
  std::string html =
      fmt::format("<table id=\"{}\"{}>\n<caption>{}</caption>\n<thead><tr>", table.id,
                  kClasses.at(static_cast<std::size_t>(table.layout)), data_html(table.caption));
  for (const auto& column : table.columns)
    if (!column.title.empty())
      html += fmt::format("<th scope=\"col\"{}>{}</th>",
                          column.kind == ReportColumn::Kind::figure ? "" : " class=\"name\"",
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

std::string section(std::string_view id, std::string_view title, const std::string& body) {
  return fmt::format("<section aria-labelledby=\"{}\">\n<h2 id=\"{}\">{}</h2>\n{}</section>\n", id,
                     id, data_html(title), body);
}

// Only a path of this site or an address of the web: nothing that runs.
bool leads_somewhere(std::string_view href) {
  if (href.starts_with("https://") || href.starts_with("http://")) return true;
  const auto colon = href.find(':');
  return !href.empty() && href.find_first_of("/?#") <= colon && !href.starts_with("//");
}

std::string link_html(const ReportLink& link) {
  const std::string text = data_html(fit_to_show(link.text));
  if (!leads_somewhere(link.href)) return "<li>" + text + "</li>";
  return fmt::format("<li><a href=\"{}\"{}>{}</a></li>", escaped(fit_to_show(link.href)),
                     link.current ? " aria-current=\"page\"" : "", text);
}

std::string links_html(const std::vector<LinkGroup>& groups) {
  std::string html;
  for (const auto& [title, links] : groups) {
    if (links.empty()) continue;
    const std::string shown = fit_to_show(title);
    html += fmt::format("<nav aria-label=\"{}\"><b>{}</b><ul>", escaped(shown), data_html(shown));
    for (const auto& link : links)
      html += link_html(link);
    html += "</ul></nav>\n";
  }
  return html;
}

// "Recommend (NPS)", at most so many cells of the name.
std::string heading(const Measure& measure, std::size_t most) {
  const std::string kind = measure.kind.empty() ? "" : " (" + measure.kind + ")";
  return "<h3>" + data_html(cut(measure.name, most)) + kind + "</h3>";
}

std::string tiles_html(const Figures& figures) {
  constexpr std::size_t kName = 40;  // the tables have the whole name
  std::string html = "<ul class=\"tiles\">\n";
  for (const auto& measure : figures.measures) {
    const Estimate& total = measure.total;
    html +=
        fmt::format("<li>{}<p class=\"value{}\">{}</p><p>{}{}n {}</p>", heading(measure, kName),
                    total.value ? "" : " none", escaped(total.text), escaped(total.interval_text),
                    total.interval_text.empty() ? "" : ", ", count_text(total.n));
    if (!figures.before.name.empty())
      html += fmt::format("<p class=\"soft\">Against before: {}</p>", escaped(measure.move.text));
    html += "</li>\n";
  }
  return html + "</ul>\n";
}

// What a picture shows, as HTML.
std::string caption_of(const ReportTable& table) {
  if (table.measure == nullptr)
    return "Each bar is a number of transactions, and its share of all of them.";
  std::string html = escaped(table.measure->meaning);
  if (!table.measure->question.empty()) html = data_html(table.measure->question) + "<br>" + html;
  if (table.section == ReportSection::segments && table.rows.size() > kPictureBars)
    html +=
        fmt::format(" The picture shows the {} largest; {} more are in the table.", kPictureBars,
                    count_text(static_cast<std::int64_t>(table.rows.size() - kPictureBars)));
  return html;
}

// `without`: instead of a picture.
std::string picture_html(const ReportTable& table, const char* without) {
  if (table.picture == ReportTable::Picture::none) return "";
  const std::string picture = picture_of(table);
  if (picture.empty()) return without;
  return fmt::format("<figure>\n<figcaption>{}</figcaption>\n{}</figure>\n", caption_of(table),
                     picture);
}

// A picture with the table of its numbers below it.
std::string card_html(const ReportTable& table, const char* without) {
  const std::string picture = picture_html(table, without);
  if (table.measure == nullptr) return "<section>\n" + picture + table_html(table) + "</section>\n";
  return fmt::format(
      "<section>\n{}\n{}{}</section>\n", heading(*table.measure, std::string::npos), picture,
      table.rows.empty() ? "<p>" + escaped(table.nothing) + "</p>\n" : table_html(table));
}

struct SectionWords {
  ReportSection section;
  const char *id, *title;
  const char* how = "";      // to read it
  const char* without = "";  // instead of a picture
};
constexpr std::array kSections = {
    SectionWords{ReportSection::compared, "compared", "Against the time before"},
    SectionWords{ReportSection::funnel, "funnel", "From the transaction to the answer", "",
                 "<p>There are no transactions in this time.</p>\n"},
    SectionWords{
        ReportSection::time, "time", "Over time",
        "The line is the figure, the band around it its 95 % interval, the dashes the figure of "
        "the whole time. A gap has too few answers, or invitations that are too young for a rate.",
        "<p>A picture takes two periods with enough answers.</p>\n"},
    SectionWords{ReportSection::segments, "segments", "By ",
                 "The bar is the figure, the line through its end its 95 % interval, the dashes "
                 "the figure of all. Where two intervals overlap much, do not read a difference.",
                 "<p>No segment has enough answers for a picture.</p>\n"},
    SectionWords{ReportSection::answers, "answers", "What they answered"},
    SectionWords{ReportSection::reasons, "reasons", "Why rows were not sent, and what came back"},
    SectionWords{ReportSection::texts, "texts-section", "What they wrote"}};

// Is there nothing that the section could be about?
bool is_left_out(ReportSection section, const Figures& figures) {
  if (section == ReportSection::compared) return figures.before.name.empty();
  if (section == ReportSection::time) return figures.periods.empty();
  return std::ranges::find(figures.tables, section, &ReportTable::section) == figures.tables.end();
}

std::string section_html(const SectionWords& words, const Figures& figures) {
  if (is_left_out(words.section, figures)) return "";
  const bool segments = words.section == ReportSection::segments;
  const std::string title = segments ? words.title + figures.segment : words.title;
  if (segments && figures.segments.empty())
    return section(words.id, title, "<p>There are no rows to divide.</p>\n");
  std::string cards, wide;
  bool plain = true;  // no card has a measure
  for (const auto& table : figures.tables) {
    if (table.section != words.section) continue;
    const bool is_card = table.layout == ReportTable::Layout::card;
    (is_card ? cards : wide) += is_card ? card_html(table, words.without) : table_html(table);
    plain = plain && table.measure == nullptr;
  }
  std::string html;
  if (*words.how != '\0') html = fmt::format("<p class=\"soft\">{}</p>\n", words.how);
  if (!cards.empty())
    html += fmt::format("<div class=\"cards{}\">\n{}</div>\n", plain ? " plain" : "", cards);
  return section(words.id, title, html + wide);
}

std::string body_of(const Figures& figures) {
  std::string html = tiles_html(figures);
  for (const auto& words : kSections) {
    html += section_html(words, figures);
    if (words.section == ReportSection::reasons)
      html += section("contact", "Customers who want to be contacted",
                      "<p>" + escaped(figures.contact) + "</p>\n");
  }
  std::string notes = "<ul class=\"notes\">\n";
  for (const auto& note : figures.notes)
    notes += "<li>" + prose_html(note) + "</li>\n";
  return html + section("notes", "How to read the figures", notes + "</ul>\n");
}

}  // namespace

std::string report_html(const SurveyReport& report) {
  const Figures figures = figures_of(report);
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'\">\n<meta name=\"referrer\" content=\"no-referrer\">\n"
      "<title>{}, {}</title>\n<style>{}</style></head>\n<body>\n<header>\n<h1>{}</h1>\n"
      "<p class=\"soft\">{}</p>\n{}</header>\n<main>\n<p class=\"verdict\">{}</p>\n{}</main>\n"
      "<footer>{}</footer>\n</body></html>\n",
      escaped(figures.title), escaped(figures.scope), kReportStyle, data_html(figures.title),
      escaped(figures.scope), links_html(report.links),
      prose_html(fmt::format("{}", fmt::join(figures.verdict, " "))),
      figures.empty ? "" : body_of(figures), escaped(figures.made));
}

}  // namespace surveybridge::daemon
