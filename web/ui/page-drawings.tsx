import type { ComponentChildren } from 'preact';

/** Small drawings of pages, 36 by 46, by what a document is. They stand in where there is no picture of it. */
export const PAGE_DRAWINGS = {
  contract: () => (
    <>
      <path class="pp" d="M.5.5h27l8 8v37H.5z" />
      <path class="pf" d="M27.5.5v8h8" />
      <path class="pd" d="M10 12h16" />
      <path class="pl" d="M6 18h24M6 21.5h24M6 25h20M6 29h24M6 32.5h16" />
      <path class="ps" d="M7 40c2-3 3 2 5-1s2 2 4-.5M21 40h8" />
    </>
  ),
  invoice: () => (
    <>
      <path class="pp" d="M.5.5h27l8 8v37H.5z" />
      <path class="pf" d="M27.5.5v8h8" />
      <path class="pd" d="M6 9h9M6 12h6" />
      <path class="pl" d="M6 20h24M6 24h24M6 28h24M6 32h24" />
      <path class="pd" d="M22 38h8" />
      <path class="pl" d="M22 18v16" />
    </>
  ),
  mail: () => (
    <>
      <path class="pp" d="M.5.5h27l8 8v37H.5z" />
      <path class="pf" d="M27.5.5v8h8" />
      <path class="pd" d="M6 10h12M6 13.5h17" />
      <path class="pl" d="M6 18h24" />
      <path class="pl" d="M6 23h22M6 26.5h24M6 30h15M6 35h10" />
    </>
  ),
  minutes: () => (
    <>
      <path class="pp" d="M.5.5h27l8 8v37H.5z" />
      <path class="pf" d="M27.5.5v8h8" />
      <path class="pd" d="M6 11h19" />
      <path class="pd" d="M6 18h1.5M6 24h1.5M6 30h1.5M6 36h1.5" />
      <path class="pl" d="M10 18h20M10 21h14M10 24h20M10 27h17M10 30h20M10 33h9M10 36h18" />
    </>
  ),
  note: () => (
    <>
      <path class="pp" d="M.5.5h27l8 8v37H.5z" />
      <path class="pf" d="M27.5.5v8h8" />
      <path
        class="ps"
        d="M6 12c3-3 4 2 7-.5s4 1.5 7-.5M6 19c4-2 5 1.5 9-.5s5 1 9-.5M6 26c3-2 5 1.5 8-.5s4 1 6-.5M6 33c4-2 6 1.5 10-.5s4 1 7-.5"
      />
    </>
  ),
  passport: () => (
    <>
      <path class="pp" d="M.5 4.5h35v37H.5z" />
      <path class="pg" d="M4 9h13v18H4z" />
      <path
        class="pw"
        d="M10.5 12a3.2 3.2 0 1 1 0 6.400 3.2 3.2 0 0 1 0-6.400zM5 27c.5-4 2.5-6 5.5-6s5 2 5.5 6z"
      />
      <path class="pl" d="M20 11h12M20 15h9M20 19h12M20 23h7M4 33h28M4 37h28" />
    </>
  ),
  policy: () => (
    <>
      <path class="pp" d="M.5.5h27l8 8v37H.5z" />
      <path class="pf" d="M27.5.5v8h8" />
      <circle class="pg" cx="11" cy="12" r="4.5" />
      <path class="pd" d="M19 11h6" />
      <path class="pl" d="M19 14h9M6 22h24M6 25.5h24M6 29h19M6 34h24M6 37.5h14" />
    </>
  ),
  report: () => (
    <>
      <path class="pp" d="M.5.5h27l8 8v37H.5z" />
      <path class="pf" d="M27.5.5v8h8" />
      <path class="pg" d="M6 13h24v13H6z" />
      <path class="pw" d="m17 26 .6-9h2.8l.6 9zM17 15.5h4v1.5h-4z" />
      <path class="pd" d="M6 9h14" />
      <path class="pl" d="M6 31h24M6 34.5h24M6 38h15" />
    </>
  ),
  scan: () => (
    <>
      <path class="pp" d="M.5.5h35v45H.5z" />
      <path class="pl" d="m6 11 20 1M6 17l24 1M6 21l24 1M6 25l17 .7M6 32l24 1M6 36l13 .6" />
    </>
  ),
  sheet: () => (
    <>
      <path class="pp" d="M.5.5h27l8 8v37H.5z" />
      <path class="pf" d="M27.5.5v8h8" />
      <path
        class="pl"
        d="M6 13h24M6 18h24M6 23h24M6 28h24M6 33h24M6 38h24M6 13v25M14 13v25M22 13v25M30 13v25"
      />
      <path class="pd" d="M6 9h10" />
    </>
  ),
  text: () => (
    <>
      <path class="pp" d="M.5.5h27l8 8v37H.5z" />
      <path class="pf" d="M27.5.5v8h8" />
      <path class="pd" d="M6 11h16" />
      <path class="pl" d="M6 17h24M6 20.5h24M6 24h18M6 29h24M6 32.5h24M6 36h21M6 39.5h12" />
    </>
  ),
} satisfies Readonly<Record<string, () => ComponentChildren>>;

export type PageDrawing = keyof typeof PAGE_DRAWINGS;
