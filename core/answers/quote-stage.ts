import { sentencesOf, type TextRange } from '../text/index.ts';
import { anchor, MIN_WORDS, occursVerbatim } from './anchor.ts';
import { isMarker, type MarkerOrText } from './markers.ts';
import { isMatchingPair, isQuoteMark, quoteRole } from './quote-marks.ts';
import { wordsOf } from './quote-words.ts';
import { endsInBlankLine, GAP, MAX_HELD_BACK, type CitationMarker, type Stage } from './stages.ts';

/** Finds a quotation in the passages with these numbers. */
export interface Register<Place> {
  /** The ranges in those of the passages in which `find` finds something. */
  locate(
    numbers: readonly number[],
    find: (passage: string) => TextRange | undefined,
  ): readonly Place[];
  /** Numbers the ranges as citations, in the order of the answer. */
  cite(places: readonly Place[]): readonly CitationMarker[];
}

interface Mark {
  /** Position in the held-back text. */
  readonly at: number;
  readonly unit: string;
  readonly before: string;
  closes: boolean;
  /** Judged by the neighbouring characters. */
  sure: boolean;
  /** The mark that it closes, or most likely closes. */
  opener: Mark | undefined;
}

/** A marker, or a quotation that was not found, inside what may be a longer quotation. */
interface Waiting extends TextRange {
  readonly numbers: readonly number[] | undefined;
}

/** Characters allowed between a quotation and its marker. */
const BETWEEN = /^([*_]{0,3})([.,;:!?…。，；：]?)[*_]{0,3}\s{0,4}([(（]?)$/;
const MAX_EMPHASIS_LENGTH = 3;
const MAX_GAP_LENGTH = 12;
/** A dot that does not end a sentence. */
const INITIAL = /(?<!\p{L})\p{Lu}\.$/u;
/** Between the markers of one quotation. */
const JOINT = /^[ \t,;，、]$/;
const MAX_JOINT_LENGTH = 3;
/** Maximum number of passages searched for one quotation. */
const MAX_NUMBERS = 16;
/** Maximum number of further candidates for the opening mark. */
const MAX_OPENERS = 8;
/** Emitted text remembered to find the sentence before a marker, in UTF-16 units. */
const CLAIM = 1_500;
/** Represents a marker in the emitted text. */
const CITED = '\ufffc';

/**
 * Replaces quotations and markers in model output by citations. From a quotation mark on, text is held back until the
 * sentence ends or a marker decides.
 */
export function extractQuotes<Place>(
  register: Register<Place>,
  next: Stage,
): { push(token: MarkerOrText): void; end(): void } {
  /** Held-back text from a quotation mark on, with its marks and markers. */
  let text = '';
  let marks: Mark[] = [];
  let open: Mark[] = [];
  let waiting: Waiting[] = [];
  /** The opening mark of the last closed pair. */
  let paired: Mark | undefined;
  let unsettled: Mark | undefined;
  let sentenceOver = false;
  /** Consecutive markers. */
  let group: { numbers: number[]; raw: string; joint: string } | undefined;
  let token = '';
  /**
   * The previous unit. A string under construction is not indexed at each step, because that flattens (copies) it.
   */
  let before = '';
  /** Asterisks allowed around a quotation. */
  let emphasis = '';

  function say(units: string): void {
    for (const unit of units.split('')) next.push(unit);
    token += units;
    if (token.length > 4 * CLAIM) token = token.slice(-CLAIM);
  }

  function sayEmphasis(): void {
    say(emphasis);
    emphasis = '';
  }

  function cite(places: readonly Place[]): void {
    const markers = register.cite(places);
    if (markers.length === 0) next.push(GAP);
    for (const marker of markers) {
      next.push(marker);
      token += CITED;
    }
  }

  /** Emits the held-back text up to that position, with the citations in it. */
  function sayHeld(end: number): void {
    let at = 0;
    for (const each of waiting.filter((one) => one.end <= end)) {
      say(text.slice(at, each.start));
      if (each.numbers) bare(each.numbers);
      else next.push(GAP);
      at = each.end;
    }
    say(text.slice(at, end));
  }

  function clear(): void {
    [text, marks, open, waiting, paired, sentenceOver] = ['', [], [], [], undefined, false];
  }

  function release(): void {
    sayHeld(text.length);
    clear();
  }

  /** A marker without a quotation: the sentence before it must occur in the passage. */
  function bare(numbers: readonly number[]): void {
    let claims: readonly string[] | undefined;
    cite(
      register.locate(numbers, (passage) => {
        claims ??= claimsIn(token.slice(-CLAIM));
        return claims.map((claim) => occursVerbatim(claim, passage)).find((found) => found);
      }),
    );
  }

  function settle(after: string): void {
    const mark = unsettled;
    if (!mark) return;
    unsettled = undefined;
    const role = quoteRole(mark.unit, mark.before, after);
    mark.sure = role !== 'either';
    const partner = open.map((each) => isMatchingPair(each.unit, mark.unit)).lastIndexOf(true);
    mark.closes = role === 'closes' || (role === 'either' && partner >= 0);
    if (!mark.closes) {
      open.push(mark);
    } else if (partner >= 0) {
      // Marks opened since then and not closed were cut off.
      [mark.opener] = open.splice(partner);
      paired = mark.opener;
    } else {
      [mark.opener, mark.sure] = [open.at(-1) ?? paired, false];
      if (!mark.opener) release();
    }
  }

  /** The mark that opens the quotation ending at `last`, and its ranges. */
  function openerOf(last: Mark, numbers: readonly number[]) {
    const { opener } = last;
    if (!opener) return undefined;
    const sure = last.sure && opener.sure;
    const from = (mark: Mark) => text.slice(mark.at + 1, last.at);
    const tried = (among: readonly Mark[], find: typeof anchor) => {
      for (const mark of among) {
        const places = register.locate(numbers, (passage) => find(from(mark), passage));
        if (places.length > 0) return { opener: mark, places };
      }
      return undefined;
    };
    const farther = marks.filter((mark) => !mark.closes && mark.at < opener.at);
    const others = farther.slice(0, MAX_OPENERS);
    const inner = open.length > 0 && opener !== open[0];
    // One or two words of an inner quotation occur in any passage, so they prove nothing.
    const own = inner && wordsOf(from(opener)).length < MIN_WORDS ? [] : [opener];
    if (sure && !inner) return tried(own, anchor) ?? tried(others, occursWithMarks);
    return (
      tried(others, occursWithMarks) ??
      tried(own, anchor) ??
      tried(inner ? others : [], anchorWithMarks)
    );
  }

  function quoted(last: Mark, { numbers, raw }: { numbers: number[]; raw: string }): void {
    const after = text.slice(last.at + 1);
    const found = openerOf(last, numbers);
    const start = (found?.opener ?? last.opener)?.at ?? last.at;
    if (!found && open.length > 0) {
      // It may be part of a longer quotation that does occur.
      text += raw;
      waiting = [
        ...waiting.filter((each) => each.start < start),
        { start, end: text.length, numbers: undefined },
      ];
      return;
    }
    const [, stars = '', punctuation = '', bracket = ''] = BETWEEN.exec(after) ?? [];
    const marked = stars !== '' && text.slice(0, start).endsWith(stars);
    sayHeld(marked ? start - stars.length : start);
    clear();
    next.push(GAP);
    say((marked ? '' : stars) + punctuation);
    const space = spaceFor(after, token.slice(-1));
    if (found || space === '\n' || bracket !== '') say(space + bracket);
    cite(found?.places ?? []);
  }

  function finalizeGroup(): void {
    if (!group) return;
    const { numbers, raw, joint } = group;
    const last = marks.at(-1);
    group = undefined;
    if (text === '') {
      bare(numbers);
    } else if (last?.closes && isBetween(text.slice(last.at + 1))) {
      quoted(last, { numbers, raw });
    } else if (open.length > 0) {
      const start = text.length;
      text += raw;
      waiting.push({ start, end: text.length, numbers });
    } else {
      release();
      bare(numbers);
    }
    for (const unit of joint.split('')) take(unit);
  }

  function take(unit: MarkerOrText): void {
    decide(unit);
    before = isMarker(unit) ? CITED : unit;
  }

  function decide(unit: MarkerOrText): void {
    settle(isMarker(unit) ? '[' : unit);
    if (isMarker(unit)) {
      sayEmphasis();
      group = { numbers: unit.numbers.slice(0, MAX_NUMBERS), raw: unit.raw, joint: '' };
      return;
    }
    if (sentenceOver && open.length === 0 && !/\s/.test(unit)) release();
    if (text.length >= MAX_HELD_BACK) release();
    if (isQuoteMark(unit)) {
      if (text === '') text = emphasis;
      emphasis = '';
      unsettled = { at: text.length, unit, before, closes: false, sure: true, opener: undefined };
      marks.push(unsettled);
      text += unit;
      sentenceOver = false;
    } else if (text === '' && /[*_]/.test(unit) && emphasis.length < MAX_EMPHASIS_LENGTH) {
      emphasis += unit;
    } else if (text === '') {
      sayEmphasis();
      say(unit);
    } else {
      sentenceOver ||=
        /[\n。！？]/.test(unit) ||
        (/\s/.test(unit) && /[.!?…]/.test(before) && !INITIAL.test(text.slice(-3)));
      text += unit;
      if (unit === '\n' && endsInBlankLine(text)) release();
    }
  }

  return {
    push(unit) {
      if (group && isMarker(unit)) {
        group.numbers.push(...unit.numbers.slice(0, MAX_NUMBERS - group.numbers.length));
        if (group.raw.length < MAX_HELD_BACK) group.raw += group.joint + unit.raw;
        group.joint = '';
      } else if (
        group &&
        typeof unit === 'string' &&
        JOINT.test(unit) &&
        group.joint.length < MAX_JOINT_LENGTH
      ) {
        group.joint += unit;
      } else {
        finalizeGroup();
        take(unit);
      }
    },
    end() {
      finalizeGroup();
      settle('');
      release();
      sayEmphasis();
      next.end();
    },
  };
}

/** White space to insert before a marker. */
function spaceFor(between: string, before: string): string {
  if (/^[\n(（[]?$/.test(before)) return '';
  if (between.includes('\n')) return '\n';
  return /\s/.test(between) ? ' ' : '';
}

const isBetween = (text: string): boolean => text.length <= MAX_GAP_LENGTH && BETWEEN.test(text);

/** The last sentence emitted, and its last part without a citation. */
function claimsIn(token: string): readonly string[] {
  const { start, end } = sentencesOf(token).at(-1) ?? { start: 0, end: 0 };
  const sentence = token.slice(start, end).replace(/^(?:[-*+•>#]+|\d{1,3}[.)])\s+/, '');
  const parts = [sentence.replaceAll(CITED, ' '), sentence.slice(sentence.lastIndexOf(CITED) + 1)];
  return [...new Set(parts)];
}

/** Includes every kind of quotation mark. */
const withMarks =
  (find: typeof anchor): typeof anchor =>
  (quote, passage) => {
    const place = find(quote, passage);
    if (!place) return undefined;
    const count = (text: string) => text.split('').filter(isQuoteMark).length;
    return count(quote) <= count(passage.slice(place.start, place.end)) ? place : undefined;
  };
const occursWithMarks = withMarks(occursVerbatim);
const anchorWithMarks = withMarks(anchor);
