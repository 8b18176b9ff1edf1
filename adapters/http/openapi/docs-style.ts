/** One style sheet: light and dark, for phone, desktop and print. */
export const DOCS_STYLE = `
:root{color-scheme:light dark;--bg:#fff;--ink:#1c2128;--soft:#59636e;--line:#d8dee4;--tint:#f5f7f9;--link:#0a58ca;--get:#0b5cad;--post:#1a7038;--put:#8a5300;--delete:#b3261e}
@media(prefers-color-scheme:dark){:root{--bg:#14181d;--ink:#e2e7ec;--soft:#9aa5b1;--line:#313a44;--tint:#1c2229;--link:#7fb2ff;--get:#79b8ff;--post:#6cc98a;--put:#e3b26a;--delete:#ff8f85}}
*{box-sizing:border-box}
html{scroll-padding-top:1rem}
body{margin:0;background:var(--bg);color:var(--ink);font:1rem/1.55 system-ui,sans-serif}
.page{max-width:78rem;margin:0 auto;padding:1.5rem 1rem 4rem}
h1{margin:0 0 .25rem;font-size:1.9rem;line-height:1.2}h2{margin:2.5rem 0 .75rem;font-size:1.35rem}h3{margin:0;font-size:1rem}h4{margin:1rem 0 .25rem;font-size:.8rem;color:var(--soft);text-transform:uppercase;letter-spacing:.04em}
p{margin:.4rem 0;max-width:46rem}.soft,small{color:var(--soft)}
a{color:var(--link);text-decoration-thickness:1px;text-underline-offset:.15em}
a:focus-visible,summary:focus-visible{outline:2px solid var(--link);outline-offset:2px;border-radius:.2rem}
code{font:.875em/1.4 ui-monospace,SFMono-Regular,Menlo,monospace;overflow-wrap:anywhere}
nav{display:flex;flex-wrap:wrap;gap:.25rem 1rem;margin:1rem 0 0;padding:.6rem 0;border-block:1px solid var(--line)}
nav ul{display:none;margin:0 0 .6rem;padding:0;list-style:none}nav li a{display:block;padding:.15rem 0;text-decoration:none;color:var(--ink);font-size:.9rem}nav li a:hover{color:var(--link);text-decoration:underline}
article{border:1px solid var(--line);border-radius:.5rem;margin:1rem 0;padding:.9rem 1rem;background:var(--bg)}
article:target{border-color:var(--link)}
article h3 a{color:inherit;text-decoration:none}article h3 a:hover{text-decoration:underline}
.method{display:inline-block;min-width:4.2rem;margin-right:.35rem;font-size:.8rem;font-weight:700;letter-spacing:.03em}
.get{color:var(--get)}.post{color:var(--post)}.put,.patch{color:var(--put)}.delete{color:var(--delete)}
table{border-collapse:collapse;width:100%;font-size:.92rem}
th{text-align:left;font-weight:600;font-size:.8rem;color:var(--soft);padding:.2rem .75rem .2rem 0}
td{vertical-align:top;padding:.3rem .75rem .3rem 0;border-top:1px solid var(--line)}td:first-child{width:26%}td:nth-child(2){width:14%}
dl{display:grid;grid-template-columns:3.2rem minmax(0,1fr);gap:.2rem .5rem;margin:.25rem 0;font-size:.92rem}dt{font-weight:600}dd{margin:0}.media+.media::before{content:'or '}
@media(min-width:64rem){.page{display:grid;grid-template-columns:17rem minmax(0,1fr);column-gap:2.5rem}header{grid-column:1/-1}nav{display:block;border:0;position:sticky;top:0;align-self:start;max-height:100vh;overflow:auto;scrollbar-width:thin;padding:1rem 0}nav>a{display:block;font-weight:600;font-size:.9rem;color:var(--soft);text-decoration:none}nav ul{display:block}main{padding-top:0}}
@media(max-width:40rem){thead{display:none}tr{display:block;border-top:1px solid var(--line);padding:.35rem 0}td,td:first-child,td:nth-child(2){display:block;width:auto;border:0;padding:0}}
@media print{nav{display:none}article{break-inside:avoid}}
`;
