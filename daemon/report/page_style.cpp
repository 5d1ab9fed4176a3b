#include "daemon/report/page_style.hpp"

namespace surveybridge::daemon {

// Colours only support: bars have patterns or edges, lines have dashes, and every number is a word.
const char* const kReportStyle = R"(
:root{color-scheme:light dark;--ink:#16202b;--soft:#51606f;--line:#d3dae1;--track:#e9edf1;--mark:#1d4f86;--light:#9db9d8;--band:#1d4f8626;--link:#0b4fb3}
@media screen and (prefers-color-scheme:dark){:root{--ink:#e4e9ee;--soft:#a9b5c1;--line:#3a444e;--track:#2a323a;--mark:#8dbcf0;--light:#476a91;--band:#8dbcf033;--link:#8ab4ff}}
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
svg .over{paint-order:stroke;stroke:Canvas;stroke-width:5px}
.track{fill:var(--track)}.bar{fill:var(--mark)}
.bar.light{fill:var(--light);stroke:var(--mark)}.bar.open{fill:none;stroke:var(--mark);stroke-dasharray:3 2}
.grid{stroke:var(--line)}.base{stroke:var(--soft)}
.total{stroke:var(--soft);stroke-width:1.2;stroke-dasharray:5 4}
.band{fill:var(--band);stroke:var(--mark);stroke-width:.5;stroke-opacity:.6}
.curve{fill:none;stroke:var(--mark);stroke-width:2;stroke-linejoin:round}
.whisker{stroke:var(--mark);stroke-width:1.5}
.dot{fill:var(--mark);stroke:Canvas;stroke-width:1}
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
tr,p,figure,svg,li,.notes{break-inside:avoid}h2+p,thead,thead tr{break-after:avoid}h3+figure,tbody tr:first-child{break-before:avoid}
thead{display:table-header-group}
.bar,.track,.band,.dot{print-color-adjust:exact;-webkit-print-color-adjust:exact}
}
)";

}  // namespace surveybridge::daemon
