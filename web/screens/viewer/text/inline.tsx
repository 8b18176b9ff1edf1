import type { ComponentChildren } from 'preact';
import { Run } from './run.tsx';
import type { TextRange } from './range.ts';

/** Code, pictures, links, bold, italic, addresses: the first that fits. Each is bounded, so that none can run away. */
const INLINE =
  /(`+)([^`]{1,500})\1|!\[([^\]\n]{0,300})\]\([^)\s]{0,2000}(?:\s[^)]{0,300})?\)|\[([^\]\n]{1,300})\]\(([^)\s]{1,2000})(?:\s[^)]{0,300})?\)|(\*\*|__)(?=\S)(.{1,1000}?)\6|(?<![\w*])([*_])(?=\S)([^*_\n]{1,500}?)\8(?!\w)|(https?:\/\/[^\s<>"')\]]{1,2000})/u;

/** A longer line is shown as it is written. */
const MAX_LINE_LENGTH = 10_000;
const SAFE_LINK = /^(https?:\/\/|mailto:)/i;

/** Only addresses of the web and of mail lead anywhere. */
export const safeAddress = (address: string): string | undefined =>
  SAFE_LINK.test(address) && URL.canParse(address) ? address : undefined;

export const OutLink = ({ href, children }: { href: string; children: ComponentChildren }) => (
  <a href={href} target="_blank" rel="noopener noreferrer nofollow">
    {children}
  </a>
);

/** The words of a line with their emphasis and links. Pictures are their description: nothing is loaded. */
export function inline(text: string, { start, end }: TextRange): ComponentChildren {
  if (end - start > MAX_LINE_LENGTH) return <Run start={start} end={end} />;
  const parts: ComponentChildren[] = [];
  let at = start;
  while (at < end) {
    const found = INLINE.exec(text.slice(at, end));
    if (!found) break;
    const from = at + found.index;
    if (from > at) parts.push(<Run key={at} start={at} end={from} />);
    parts.push(<Inline key={from} text={text} found={found} from={from} />);
    at = from + found[0].length;
  }
  if (at < end) parts.push(<Run key={at} start={at} end={end} />);
  return parts;
}

function Inline({ text, found, from }: { text: string; found: RegExpExecArray; from: number }) {
  const [all, ticks, code, picture, label, target, strong, bold, sign, slanted, bare] = found;
  const within = (offset: number, words: string): TextRange => ({
    start: from + offset,
    end: from + offset + words.length,
  });
  if (ticks !== undefined && code !== undefined)
    return (
      <code>
        <Run {...within(ticks.length, code)} />
      </code>
    );
  if (picture !== undefined)
    return (
      <span class="soft">
        <Run {...within(2, picture)} />
      </span>
    );
  if (label !== undefined && target !== undefined) {
    const href = safeAddress(target);
    const words = <Run {...within(1, label)} />;
    return href ? <OutLink href={href}>{words}</OutLink> : <>{words}</>;
  }
  if (strong !== undefined && bold !== undefined)
    return <strong>{inline(text, within(strong.length, bold))}</strong>;
  if (sign !== undefined && slanted !== undefined)
    return (
      <em>
        <Run {...within(1, slanted)} />
      </em>
    );
  const words = <Run {...within(0, all)} />;
  return bare !== undefined && safeAddress(bare) ? (
    <OutLink href={bare}>{words}</OutLink>
  ) : (
    <>{words}</>
  );
}
