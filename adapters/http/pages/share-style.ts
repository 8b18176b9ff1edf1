/** One style sheet for the pages of visitors: light and dark, from a phone of 320 pixels to a desktop. Its colours are those of the app's tokens. */
export const SHARE_STYLE = `
:root{color-scheme:light dark;--bg:#f1f4ef;--card:#fcfdfb;--ink:#17211c;--soft:#4d5a53;--line:#d8dfd7;--tile:#dde3db;--link:#125640;--on-link:#fff;--good:#125640;--good-bg:#e4efe7;--bad:#a1241c;--bad-bg:#fbe9e6}
@media(prefers-color-scheme:dark){:root{--bg:#0e1311;--card:#161c19;--ink:#e6ece7;--soft:#a3b0a8;--line:#2a342f;--tile:#1e2622;--link:#7fcfaa;--on-link:#0b1d16;--good:#7fcfaa;--good-bg:#1d3128;--bad:#ff9f94;--bad-bg:#3a1d1a}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--ink);font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
main{max-width:54rem;margin:0 auto;padding:clamp(1rem,4vw,2.5rem) clamp(.75rem,4vw,1.5rem) 4rem}
h1{margin:0 0 .35rem;font-size:clamp(1.4rem,5vw,1.9rem);line-height:1.2}
h2{margin:0;font-size:1.1rem}
p{margin:.4rem 0}
section{margin-top:1.75rem}
time{white-space:nowrap}
.soft,.facts{color:var(--soft)}
.facts{margin:0;font-size:.9rem}
.empty{padding:1.5rem 0}
a{color:var(--link);text-decoration-thickness:1px;text-underline-offset:.15em}
:focus-visible{outline:3px solid var(--link);outline-offset:2px;border-radius:.3rem}
.heard{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.button,button{display:inline-block;padding:.5rem .9rem;border:1px solid var(--line);border-radius:.5rem;background:var(--card);color:var(--link);font:inherit;font-weight:600;line-height:1.4;text-decoration:none;text-align:center;white-space:nowrap;cursor:pointer;position:relative}
.button:hover{border-color:var(--link)}
.first,button{background:var(--link);border-color:var(--link);color:var(--on-link)}
.first:hover,button:hover{filter:brightness(1.08)}
button:disabled{filter:grayscale(1);cursor:default}
.bar{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:center;justify-content:space-between;margin-bottom:.75rem}
.actions{display:flex;flex-wrap:wrap;gap:.6rem;margin:1rem 0}
.files{margin:0;padding:0;list-style:none;background:var(--card);border:1px solid var(--line);border-radius:.75rem}
.files li{position:relative;display:grid;grid-template-columns:3.5rem minmax(0,1fr) auto;grid-template-areas:'tile name save' 'tile facts save';column-gap:.9rem;align-items:center;padding:.7rem .9rem}
.files li+li{border-top:1px solid var(--line)}
.files .tile{grid-area:tile;align-self:start}
.name{grid-area:name;align-self:end;color:var(--ink);font-weight:600;text-decoration:none}
.name:hover{text-decoration:underline}
.name::after{content:'';position:absolute;inset:0}
.files .facts{grid-area:facts;align-self:start}
.files .button{grid-area:save;z-index:1;padding:.4rem .75rem;font-size:.9rem}
.tile{position:relative;display:grid;place-items:center;width:3.5rem;height:3.5rem;border:1px solid var(--line);border-radius:.5rem;background:var(--tile);color:var(--soft);font-size:.68rem;font-weight:600;overflow:hidden;overflow-wrap:normal}
.tile img{position:absolute;inset:0;width:100%;height:100%;object-fit:cover}
.pages{display:flex;flex-wrap:wrap;gap:.6rem 1rem;align-items:center;margin-top:1rem;color:var(--soft)}
.card{margin-top:.75rem;padding:1rem;background:var(--card);border:1px solid var(--line);border-radius:.75rem}
label{display:block;margin-bottom:.35rem;font-weight:600}
.row{display:flex;flex-wrap:wrap;gap:.6rem}
input{flex:1 1 14rem;min-width:0;max-width:100%;padding:.5rem .6rem;border:1px solid var(--soft);border-radius:.5rem;background:var(--bg);color:inherit;font:inherit}
input[aria-invalid]{border-color:var(--bad)}
.good,.trouble{padding:.6rem .9rem;border-radius:.5rem;background:var(--good-bg);color:var(--good);font-weight:600}
.trouble{margin:0 0 .8rem;background:var(--bad-bg);color:var(--bad)}
#upload-state{margin:.6rem 0 0}#upload-state:empty{display:none}
#upload-state.trouble{margin-bottom:0}
.over{border-color:var(--link);outline:3px solid var(--link)}
progress{display:block;width:100%;height:.8rem;margin-top:.8rem;accent-color:var(--link)}
figure{margin:1rem 0;padding:.75rem;background:var(--card);border:1px solid var(--line);border-radius:.75rem;text-align:center}
figure img{display:block;max-width:100%;max-height:75vh;margin:0 auto}
pre{margin:.6rem 0;padding:1rem;background:var(--card);border:1px solid var(--line);border-radius:.75rem;font:.9rem/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;white-space:pre-wrap}
@media(max-width:30rem){.files li{grid-template-columns:3.5rem minmax(0,1fr);grid-template-areas:'tile name' 'tile facts' '. save'}.files .button{justify-self:start;margin-top:.4rem}}
@media(forced-colors:active){.button,button,.tile,.good,.trouble{border:1px solid}}
@media(prefers-reduced-motion:no-preference){.button,button{transition:border-color .15s,filter .15s}}
@media print{.button,form,nav{display:none}body{background:none}}
`;
