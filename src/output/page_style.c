/*
 * The looks of the HTML report.  The colours of bounds are those of cividis, which who sees no red
 * or no green sees alike, from light (tight) to dark (loose) on either paper.
 */
#include "output/page.h"

const char page_colours[] =
    ":root{--paper:#fdfdfb;--ink:#1d1f21;--soft:#5f646b;--rule:#b9bcc0;--grid:#e4e5e3;"
    "--accent:#00487d;--band:#c9d3dd;"
    "--s0:#e9d353;--s1:#d0bd60;--s2:#bba96e;--s3:#a09174;--s4:#858078;--s5:#666970;--s6:#3f5070;"
    "--s7:#00315f;--low:#1d1f21;--high:#fff}\n"
    "@media screen and "
    "(prefers-color-scheme:dark){:root{--paper:#16181b;--ink:#e3e4e1;--soft:#9aa0a8;"
    "--rule:#54595f;--grid:#2b2f34;--accent:#ffd95c;--band:#3b4653;"
    "--s0:#fee838;--s1:#dcc65a;--s2:#bfad6a;--s3:#a29673;--s4:#817c78;--s5:#646874;--s6:#4a5c82;"
    "--s7:#3158a4;--low:#1d1f21;--high:#fff}}\n";

/* Of drawings, on the page or each in a file of its own. */
const char page_drawing[] =
    "svg text{font:110px system-ui,'Segoe UI','Helvetica Neue',Arial,'DejaVu Sans',sans-serif;"
    "fill:var(--soft);font-variant-numeric:tabular-nums}\n"
    "svg .small{font-size:88px}svg .mid{text-anchor:middle}svg .end{text-anchor:end}\n"
    ".grid{stroke:var(--grid);stroke-width:8;fill:none}\n"
    ".reference{fill:none;stroke:var(--soft);stroke-width:8}\n"
    ".whisker{stroke:var(--ink);stroke-width:26;fill:none}"
    ".halo{stroke:var(--paper);stroke-width:62;stroke-linecap:square;fill:none;opacity:.8}\n"
    ".open{stroke-dasharray:40 25}\n"
    ".band{fill:var(--band);shape-rendering:crispEdges}.median{stroke:var(--accent);stroke-width:"
    "22;fill:none}\n"
    ".worst,.mean{stroke:var(--ink);stroke-width:12;fill:none}.mean{stroke-dasharray:12 18}\n"
    ".density{fill:var(--soft)}\n"
    ".s0{fill:var(--s0)}.s1{fill:var(--s1)}.s2{fill:var(--s2)}.s3{fill:var(--s3)}"
    ".s4{fill:var(--s4)}.s5{fill:var(--s5)}.s6{fill:var(--s6)}.s7{fill:var(--s7)}"
    ".su{fill:url(#hatch)}\n"
    "svg .on-s0,svg .on-s1,svg .on-s2,svg .on-s3{fill:var(--low)}"
    "svg .on-s4,svg .on-s5,svg .on-s6,svg .on-s7{fill:var(--high)}svg .on-su{fill:var(--ink)}\n"
    ".hatch-paper{fill:var(--grid)}.hatch-ink{fill:var(--soft)}\n";

const char page_style[] =
    "*{box-sizing:border-box}\n"
    "html{background:var(--paper);color:var(--ink);color-scheme:light dark}\n"
    "body{margin:0 auto;max-width:62rem;padding:2rem 1.5rem 3rem;font:1rem/1.5 Charter,"
    "'Bitstream Charter','Source Serif 4',Cambria,Georgia,serif;"
    "font-variant-numeric:lining-nums;overflow-wrap:anywhere}\n"
    "h1{font-size:1.6rem;line-height:1.25;font-weight:600;margin:0 0 1rem;text-wrap:balance}\n"
    "h2{font-size:1.12rem;font-weight:600;margin:2.2rem 0 .6rem}\n"
    "p{margin:.6rem 0;max-width:46rem}\n"
    "#verdict{font-size:1.12rem;line-height:1.5;margin:0 0 1.2rem}\n"
    ".columns{display:grid;grid-template-columns:repeat(auto-fit,minmax(24rem,1fr));gap:0 3rem}\n"
    ".columns h2{margin-top:.8rem}\n"
    "dl{display:grid;grid-template-columns:max-content 1fr;gap:.12rem 1.2rem;margin:0;"
    "font-size:.92rem}\n"
    "dt{color:var(--soft)}dd{margin:0;font-variant-numeric:lining-nums tabular-nums}\n"
    "table{border-collapse:collapse;font-size:.88rem;line-height:1.35;width:100%;"
    "border-top:1.5px solid var(--ink);border-bottom:1.5px solid var(--ink);margin:.4rem 0}\n"
    "caption{caption-side:bottom;text-align:left;color:var(--soft);font-size:.85rem;"
    "padding-top:.4rem}\n"
    "thead{border-bottom:1px solid var(--ink)}\n"
    "th,td{padding:.18rem .5rem;text-align:right;vertical-align:baseline;"
    "font-variant-numeric:lining-nums tabular-nums;overflow-wrap:normal}\n"
    "th{font-weight:400}thead th{color:var(--soft);vertical-align:bottom}\n"
    "th:first-child,td.name,th.name,td.why,th.why{text-align:left}\n"
    "th:first-child{padding-left:0}td:last-child,th:last-child{padding-right:0}\n"
    "td.why{font-size:.84rem;min-width:14rem}\n"
    "td.name,tbody th{white-space:nowrap}\n"
    "#threads tr:nth-child(5n):not(:last-child)>*{padding-bottom:.5rem}\n"
    "figure{margin:0}\n"
    "figcaption{color:var(--soft);font-size:.88rem;margin-top:.3rem;max-width:50rem}\n"
    "svg{display:block;width:100%;height:auto;overflow:visible}\n"
    "svg.nothing{position:absolute;width:0;height:0}\n"
    "#legend{margin-top:2.2rem}\n"
    "nav ul{display:flex;flex-wrap:wrap;gap:.1rem 1.2rem;list-style:none;margin:1rem 0;padding:0;"
    "font-size:.92rem}\n"
    "a{color:var(--accent)}\n"
    "footer{color:var(--soft);font-size:.85rem;margin-top:2.5rem;border-top:1px solid "
    "var(--rule);padding-top:.5rem}\n"
    "@media (max-width:40rem){body{padding:1rem}table{display:block;overflow-x:auto}"
    ".columns{grid-template-columns:1fr}.wide{overflow-x:auto;padding-bottom:.3rem}"
    ".wide svg{min-width:42rem}svg text{font-size:145px}svg .small{font-size:120px}"
    "svg .num{font-size:110px}}\n"
    "@media print{@page{margin:16mm}html{background:none;font-size:9.5pt}"
    "body{max-width:none;padding:0}.columns{grid-template-columns:1fr 1fr}"
    "rect,path{print-color-adjust:exact;-webkit-print-color-adjust:exact}"
    "figure,tr,dl{break-inside:avoid}h2{break-after:avoid}}\n";

const char page_hatch[] =
    "<defs><pattern id=\"hatch\" width=\"60\" height=\"60\" patternUnits=\"userSpaceOnUse\" "
    "patternTransform=\"rotate(45)\"><rect width=\"60\" height=\"60\" class=\"hatch-paper\"/>"
    "<rect width=\"22\" height=\"60\" class=\"hatch-ink\"/></pattern></defs>";
