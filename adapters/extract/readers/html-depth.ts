const words = (names: string): ReadonlySet<string> => new Set(names.split(' '));
/** Void elements. */
const VOID = words('area base br col embed hr img input link meta param source track wbr');
/** Elements with raw text content. */
const RAW = words('script style textarea title xmp');
/** Elements whose end tag may be omitted before the next of their kind (HTML §13.1.2.4). */
const ENDED_BY = new Map([
  ['p', words('p')],
  ['li', words('li')],
  ['dt', words('dt dd')],
  ['dd', words('dt dd')],
  ['option', words('option')],
  ['tr', words('tr td th')],
  ['td', words('td th')],
  ['th', words('td th')],
]);

/**
 * Nesting depth and number of the elements of a page, determined from its tags in one pass, without a tree. Counting
 * ends at the depth `deepest`.
 */
export function measureDepth(html: string, deepest: number): { depth: number; elements: number } {
  const open: string[] = [];
  let depth = 0;
  let elements = 0;
  for (const { name, ends, empty } of tagsOf(html)) {
    if (ends) {
      const at = open.lastIndexOf(name);
      if (at >= 0) open.length = at;
      continue;
    }
    elements++;
    if (empty || VOID.has(name) || RAW.has(name)) continue;
    const ended = ENDED_BY.get(name);
    while (ended?.has(open.at(-1) ?? '')) open.pop();
    open.push(name);
    depth = Math.max(depth, open.length);
    if (depth > deepest) break;
  }
  return { depth, elements };
}

interface Tag {
  readonly name: string;
  readonly ends: boolean;
  /** Written with a slash at its end. */
  readonly empty: boolean;
}

function* tagsOf(html: string): Generator<Tag> {
  const lower = html.toLowerCase();
  const name = /\/?([a-z][^\s/>]*)/y;
  for (let at = lower.indexOf('<'); at >= 0; at = lower.indexOf('<', at)) {
    name.lastIndex = at + 1;
    const found = name.exec(lower);
    if (lower.startsWith('<!--', at)) at = past(lower, '-->', at + 4);
    else if (found?.[1] === undefined) at++;
    else {
      const end = tagEnd(lower, name.lastIndex);
      const ends = lower[at + 1] === '/';
      yield { name: found[1], ends, empty: lower[end - 2] === '/' };
      at = !ends && RAW.has(found[1]) ? past(lower, `</${found[1]}`, end) : end;
    }
  }
}

const past = (text: string, requested: string, from: number): number => {
  const at = text.indexOf(requested, from);
  return at < 0 ? text.length : at + requested.length;
};

/** Index after the `>` of a tag, ignoring quoted ones. */
function tagEnd(text: string, from: number): number {
  let quote = '';
  for (let at = from; at < text.length; at++) {
    const char = text[at]!;
    if (quote !== '') {
      if (char === quote) quote = '';
    } else if (char === '>') return at + 1;
    else if ((char === '"' || char === "'") && text[at - 1] === '=') quote = char;
  }
  return text.length;
}
