import { endsInBlankLine, GAP, MAX_HELD_BACK, type Stage, type Unit } from './stages.ts';

/** An open bracket, by its position in the held-back text. */
interface Bracket {
  readonly at: number;
  /** Preceded by `!`. */
  readonly image: boolean;
  /** First text of its line. */
  readonly leads: boolean;
  end: number;
}

/** What follows a closed bracket: a link destination in parentheses, or a reference label in brackets. */
interface Target {
  readonly closer: ')' | ']';
  readonly of: Bracket;
  text: string;
  depth: number;
}

/** Characters allowed before the first word of a line in Markdown. */
export const LEADING = /^[\s>*+\-\d.)]$/;

/** Replaces Markdown links, images and reference definitions by their visible text. */
export function stripLinks(next: Stage): Stage {
  const held: Unit[] = [];
  let blank = true;
  let open: Bracket[] = [];
  /** Just closed: the next characters decide what it was. */
  let closed: Bracket | undefined;
  let target: Target | undefined;
  let leads = true;
  let escaped = false;

  function flush(): void {
    if (open.length > 0 || closed || target) return;
    const stored = held.at(-1) === '!' ? 1 : 0;
    const told = held.splice(0, held.length - stored);
    for (const unit of told) next.push(unit);
  }

  function release(): void {
    failTarget();
    [open, closed] = [[], undefined];
    flush();
  }

  function failTarget(): void {
    if (!target) return;
    const { closer, text } = target;
    target = undefined;
    held.push(closer === ')' ? '(' : '[', ...text.split(''));
  }

  function unwrap({ at, end, image }: Bracket): void {
    if (at < 0) return;
    [held[at], held[end]] = [GAP, GAP];
    if (image) held[at - 1] = GAP;
  }

  /** Whether the unit belongs to the part after a closed bracket. */
  function follows(unit: string, of: Bracket): boolean {
    if (unit === '(' || (unit === '[' && of.image)) {
      target = { closer: unit === '(' ? ')' : ']', of, text: '', depth: 0 };
      return true;
    }
    if (unit === ':' && of.leads) unwrap(of);
    return false;
  }

  function readTarget(unit: string, { closer, of, depth }: Target, reading: Target): void {
    const plain = !escaped;
    escaped = unit === '\\' && plain;
    if (unit === closer && plain && depth === 0) {
      if (closer === ']' || isDestination(reading.text)) {
        target = undefined;
        unwrap(of);
        return flush();
      }
      reading.text += unit;
      failTarget();
      return flush();
    }
    if (plain && closer === ')') reading.depth += unit === '(' ? 1 : unit === ')' ? -1 : 0;
    reading.text += unit;
    if (reading.text.length >= MAX_HELD_BACK || (unit === '\n' && endsInBlankLine(reading.text)))
      release();
    else if (closer === ']' && plain && unit === '[') {
      failTarget();
      flush();
    }
  }

  function bracket(unit: string): void {
    if (unit === '[') {
      const image = held.at(-1) === '!';
      open.push({ at: held.length, image, leads: leads && !image, end: 0 });
    } else {
      closed = open.pop();
      if (closed) closed.end = held.length;
    }
  }

  function take(unit: string): void {
    if ((unit === '[' || unit === ']') && !escaped) bracket(unit);
    held.push(unit);
    escaped = unit === '\\' && !escaped;
    leads = unit === '\n' || (leads && LEADING.test(unit));
    if (held.length >= MAX_HELD_BACK || (unit === '\n' && blank)) release();
    flush();
    blank = unit === '\n' || (blank && /\s/.test(unit));
  }

  return {
    push(unit) {
      if (unit === GAP) {
        if (!target && held.at(-1) !== '!') held.push(unit);
        return flush();
      }
      if (typeof unit !== 'string') {
        failTarget();
        held.push(unit);
        [escaped, leads] = [false, false];
        closed = { at: -1, image: false, leads: false, end: -1 };
        return;
      }
      if (target) return readTarget(unit, target, target);
      const of = closed;
      closed = undefined;
      if (of && follows(unit, of)) return;
      if (of) flush();
      take(unit);
    },
    end() {
      release();
      for (const unit of held) next.push(unit);
      next.end();
    },
  };
}

/** A Markdown link destination, with or without a title. */
function isDestination(text: string): boolean {
  const inner = text.trim();
  if (inner.startsWith('<')) return true;
  const space = inner.search(/\s/);
  if (space < 0) return true;
  const title = inner.slice(space).trim();
  return title.length > 1 && /^(?:""|''|\(\))$/.test(title.charAt(0) + title.slice(-1));
}
