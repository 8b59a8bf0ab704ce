/** The style of the HTML report: light and dark by the reader's setting, one column on a phone, everything opened in print. */
export const STYLE = `
:root{color-scheme:light dark;--page:#f6f7f9;--card:#fff;--ink:#1b2028;--soft:#545d6b;--line:#d9dee6;--code:#f0f2f5;--link:#0b57c2;
--good:#13703a;--good-bg:#e3f5e9;--bad:#b3201b;--bad-bg:#fdeceb;--warn:#7d5200;--warn-bg:#fdf3d8;--odd:#6b3fa0;--odd-bg:#f1eafa;--none:#545d6b;--none-bg:#eceff3;--mark:#fff0b3}
@media (prefers-color-scheme:dark){:root{--page:#12151a;--card:#1a1f26;--ink:#e6e9ee;--soft:#a3adba;--line:#333b47;--code:#232a33;--link:#82b4ff;
--good:#6fd696;--good-bg:#15301f;--bad:#ff9a94;--bad-bg:#3b1a19;--warn:#f0c45c;--warn-bg:#352a10;--odd:#cda9f7;--odd-bg:#2b2038;--none:#a3adba;--none-bg:#262d36;--mark:#4d4310}}
*{box-sizing:border-box}
html{scroll-behavior:smooth;-webkit-text-size-adjust:100%}
@media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;overflow-wrap:anywhere}
main,header,nav,footer{max-width:68rem;margin:0 auto;padding:0 1.25rem}
header{padding-top:2rem}
h1{font-size:1rem;font-weight:600;color:var(--soft);margin:0 0 .75rem}
h2{font-size:1.35rem;line-height:1.3;margin:2.75rem 0 .75rem}
h3{font-size:1.05rem;line-height:1.4;margin:0 0 .25rem}
p{margin:.5rem 0;max-width:46rem}
a{color:var(--link)}
:focus-visible{outline:3px solid var(--link);outline-offset:2px;border-radius:3px}
code,pre,.mono{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.86em}
pre{background:var(--code);border-radius:6px;padding:.7rem .85rem;margin:.3rem 0;white-space:pre-wrap;line-height:1.5;unicode-bidi:plaintext}
bdi{unicode-bidi:isolate}
.soft{color:var(--soft)}
.small{font-size:.875rem}
.card{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:1rem 1.25rem;margin:.9rem 0}
.verdict{border-radius:12px;padding:1.4rem 1.5rem;border:1px solid;margin:0}
.verdict strong{display:block;font-size:1.9rem;line-height:1.2;letter-spacing:-.01em}
.verdict p{color:var(--ink);margin:.35rem 0 0}
.passed{color:var(--good)}.failed{color:var(--bad)}.inconclusive,.interrupted{color:var(--warn)}.error{color:var(--odd)}
.not-applicable,.known-failure{color:var(--none)}.tolerated{color:var(--warn)}
.verdict.passed{background:var(--good-bg)}.verdict.failed{background:var(--bad-bg)}.verdict.inconclusive,.verdict.interrupted{background:var(--warn-bg)}.verdict.error{background:var(--odd-bg)}
.tag{display:inline-block;font-size:.78rem;font-weight:600;line-height:1.5;padding:0 .55rem;border-radius:1rem;white-space:nowrap}
.tag.passed{background:var(--good-bg)}.tag.failed{background:var(--bad-bg)}.tag.inconclusive,.tag.tolerated{background:var(--warn-bg)}.tag.error{background:var(--odd-bg)}
.tag.not-applicable,.tag.known-failure,.tag.level{background:var(--none-bg);color:var(--none)}
nav ul{display:flex;flex-wrap:wrap;gap:.35rem 1.1rem;list-style:none;margin:1rem 0 0;padding:0;font-size:.92rem}
nav li a{display:inline-block;padding:.15rem 0}
.counts{display:grid;grid-template-columns:1fr 1fr;gap:1rem;margin:1rem 0 0}
.counts .card{margin:0}.counts h2{font-size:1.05rem;line-height:1.4;margin:0 0 .25rem}
.big{font-size:1.7rem;font-weight:650;line-height:1.2;letter-spacing:-.01em}
.bar{display:block;width:100%;height:.5rem;border-radius:.25rem;margin:.6rem 0;background:var(--none-bg)}
.bar .passed{fill:var(--good)}.bar .failed{fill:var(--bad)}.bar .inconclusive{fill:var(--warn)}.bar .error{fill:var(--odd)}
.parts{display:flex;flex-wrap:wrap;gap:.1rem 1rem;list-style:none;margin:0;padding:0;font-size:.9rem}
dl.facts{display:grid;grid-template-columns:max-content 1fr;gap:.3rem 1.25rem;margin:0;font-size:.94rem}
dl.facts dt{color:var(--soft)}dl.facts dd{margin:0;min-width:0}
details>summary{cursor:pointer;padding:.2rem 0}
details.check{border-top:1px solid var(--line);margin-top:.6rem;padding-top:.45rem}
details.check>summary{padding:.3rem 0}
.pair{display:grid;grid-template-columns:5.5rem 1fr;gap:.3rem .75rem;margin:.5rem 0;align-items:start}
.pair>dt{color:var(--soft);font-size:.9rem;padding-top:.15rem}.pair>dd{margin:0;min-width:0}
.pair pre{margin:0}
pre mark{background:var(--mark);color:inherit;display:block;margin:0 -.85rem;padding:0 .85rem;box-shadow:inset 3px 0 0 var(--bad)}
pre.curl{user-select:all;-webkit-user-select:all}
fieldset{border:0;margin:0 0 .6rem;padding:0;display:flex;flex-wrap:wrap;gap:.35rem .4rem;align-items:center}
legend{float:left;font-size:.9rem;color:var(--soft);padding:0;margin-right:.6rem;line-height:2rem}
.pick{position:relative;display:inline-flex}
.pick input{position:absolute;inset:0;opacity:0;margin:0;cursor:pointer;width:100%;height:100%}
.pick span{border:1px solid var(--line);background:var(--card);border-radius:1rem;padding:.15rem .75rem;font-size:.88rem;line-height:1.6}
.pick input:checked+span{background:var(--ink);border-color:var(--ink);color:var(--card)}
.pick input:focus-visible+span{outline:3px solid var(--link);outline-offset:2px}
table{border-collapse:collapse;width:100%;font-size:.94rem;background:var(--card);border:1px solid var(--line);border-radius:10px;overflow:hidden}
th,td{text-align:left;vertical-align:top;padding:.6rem .8rem;border-top:1px solid var(--line)}
thead th{border-top:0;font-size:.85rem;color:var(--soft);font-weight:600}
tbody th{font-weight:400}
td.outcome{width:9.5rem}td.level{width:5.5rem}th.point{width:17rem}tr:target,details:target{box-shadow:inset 3px 0 0 var(--link)}
.source{font-size:.85rem;color:var(--soft);margin:.15rem 0 0}
.list{list-style:none;margin:.3rem 0;padding:0;font-size:.9rem}
.list li{padding:.2rem 0}
.ids{font-size:.9rem;line-height:1.8}
footer{color:var(--soft);font-size:.85rem;padding-top:2.5rem;padding-bottom:3rem}
.skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:1rem;background:var(--card);padding:.5rem 1rem;z-index:1}
@media (max-width:44rem){
body{font-size:15.5px}main,header,nav,footer{padding-left:.9rem;padding-right:.9rem}header{padding-top:1.1rem}
.counts{grid-template-columns:1fr}.card{padding:.85rem .9rem}.verdict{padding:1.1rem}.verdict strong{font-size:1.6rem}
.big .small{display:block}dl.facts{grid-template-columns:1fr;gap:0}dl.facts dd{margin:0 0 .5rem}
.pair{grid-template-columns:1fr;gap:.1rem}.pair>dd{margin-bottom:.4rem}
table,tbody,tr,td,tbody th{display:block}thead{position:absolute;left:-99rem}
tr{padding:.6rem .9rem;border-top:1px solid var(--line)}tbody tr:first-child{border-top:0}td,tbody th{border:0;padding:.1rem 0}
td.outcome,td.level{display:inline-block;width:auto;margin-right:.4rem}
}
@media print{
:root{--page:#fff;--card:#fff;--ink:#000;--soft:#444;--line:#bbb;--code:#f4f4f4;--link:#000;--good:#0b5a2c;--bad:#9c1b16;--warn:#6b4600;--odd:#5b3590;--none:#444}
body{font-size:10pt}nav,fieldset,.skip{display:none}
details:not([open])>*:not(summary){display:block}
details::details-content{content-visibility:visible;display:block;height:auto}
.card,tr,details.check{break-inside:avoid-page}h2,h3{break-after:avoid}
}`;
