/** Elements without content; they open nothing. */
const VOID = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
);
/** Elements that end when the next of their kind begins, their end tag left out (HTML §13.1.2.4). */
const ENDED_BY: Readonly<Record<string, ReadonlySet<string>>> = {
  p: new Set(['p']),
  li: new Set(['li']),
  dt: new Set(['dt', 'dd']),
  dd: new Set(['dt', 'dd']),
  option: new Set(['option']),
  tr: new Set(['tr', 'td', 'th']),
  td: new Set(['td', 'th']),
  th: new Set(['td', 'th']),
};
const TAG = /<(\/?)([a-z][^\s/>]*)(?:[^>"']|"[^"]*"|'[^']*')*?(\/?)>|<!--[^]*?-->/gi;
/** Far more than an end tag ever has to look back in a sound page. */
const LOOK_BACK = 64;

/** How deep the elements of a page nest and how many there are, told from its tags without parsing it. */
export function depthOf(html: string): { depth: number; elements: number } {
  const open: string[] = [];
  let depth = 0;
  let elements = 0;
  for (const [, slash, tag, selfClosing] of html.matchAll(TAG)) {
    if (tag === undefined) continue;
    const name = tag.toLowerCase();
    if (slash === '/') {
      const at = open.lastIndexOf(name);
      if (at >= 0 && open.length - at <= LOOK_BACK) open.length = at;
      continue;
    }
    elements++;
    if (VOID.has(name) || selfClosing === '/') continue;
    const ended = Object.hasOwn(ENDED_BY, name) ? ENDED_BY[name]! : undefined;
    while (ended?.has(open.at(-1) ?? '')) open.pop();
    open.push(name);
    depth = Math.max(depth, open.length);
  }
  return { depth, elements };
}
