import { sentencesOf, type Stretch } from '../text/index.ts';
import { anchor, FEW, stands } from './anchor.ts';
import { isMarker, type Said } from './markers.ts';
import { areOfOneKind, isQuoteMark, roleOf } from './quote-marks.ts';
import { wordsOf } from './quote-words.ts';
import { endsInBlankLine, GAP, HELD, type Cited, type Stage } from './stages.ts';

/** Finds what is quoted in the passages of these numbers. */
export interface Register<Place> {
  /** The places in those of the passages that `find` finds something in. */
  locate(
    numbers: readonly number[],
    find: (passage: string) => Stretch | undefined,
  ): readonly Place[];
  /** Numbers the places as citations, in the order of the answer. */
  cite(places: readonly Place[]): readonly Cited[];
}

interface Mark {
  /** Where in the text that is held back. */
  readonly at: number;
  readonly unit: string;
  readonly before: string;
  closes: boolean;
  /** Told by what stands around it. */
  sure: boolean;
  /** The one that it closes, or most likely does. */
  opener: Mark | undefined;
}

/** A marker, or a quotation that stands nowhere with its marker, inside of what may be a longer quotation. */
interface Waiting extends Stretch {
  readonly numbers: readonly number[] | undefined;
}

/** What may stand between a quotation and its marker. */
const BETWEEN = /^([*_]{0,3})([.,;:!?…。，；：]?)[*_]{0,3}\s{0,4}([(（]?)$/;
const LONGEST_EMPHASIS = 3;
const LONGEST_BETWEEN = 12;
/** A dot that ends no sentence. */
const INITIAL = /(?<!\p{L})\p{Lu}\.$/u;
/** Between the markers of one quotation. */
const JOINT = /^[ \t,;，、]$/;
const LONGEST_JOINT = 3;
/** Passages that one quotation is looked for in. */
const MOST_NUMBERS = 16;
/** Marks, beside the one that seems to, that may open a quotation. */
const MOST_OPENERS = 8;
/** Of what has been said, in UTF-16 units, to tell the sentence before a marker. */
const CLAIM = 1_500;
/** Stands for a marker in what has been said. */
const CITED = '\ufffc';

/**
 * Takes quotations and markers out of what a model says and puts citations in their place. Text is held back from a
 * quotation mark on, until its sentence is over or its marker tells.
 */
export function quotations<Place>(
  register: Register<Place>,
  next: Stage,
): { push(said: Said): void; end(): void } {
  /** Held back: from a quotation mark on, with the marks and markers in it. */
  let text = '';
  let marks: Mark[] = [];
  let open: Mark[] = [];
  let waiting: Waiting[] = [];
  /** The opener of the pair that was closed last. */
  let paired: Mark | undefined;
  let unsettled: Mark | undefined;
  let sentenceOver = false;
  /** Markers that follow each other. */
  let group: { numbers: number[]; raw: string; joint: string } | undefined;
  let said = '';
  /** The unit before this one. Texts that grow are not looked into at each step: that would copy them. */
  let before = '';
  /** Stars that may stand around a quotation. */
  let emphasis = '';

  function say(units: string): void {
    for (const unit of units.split('')) next.push(unit);
    said += units;
    if (said.length > 4 * CLAIM) said = said.slice(-CLAIM);
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
      said += CITED;
    }
  }

  /** Says what is held back up to there, with what waited in it. */
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

  /** A marker without a quotation: the sentence before it has to stand in the passage. */
  function bare(numbers: readonly number[]): void {
    let claims: readonly string[] | undefined;
    cite(
      register.locate(numbers, (passage) => {
        claims ??= claimsIn(said.slice(-CLAIM));
        return claims.map((claim) => stands(claim, passage)).find((found) => found);
      }),
    );
  }

  function settle(after: string): void {
    const mark = unsettled;
    if (!mark) return;
    unsettled = undefined;
    const role = roleOf(mark.unit, mark.before, after);
    mark.sure = role !== 'either';
    const partner = open.map((each) => areOfOneKind(each.unit, mark.unit)).lastIndexOf(true);
    mark.closes = role === 'closes' || (role === 'either' && partner >= 0);
    if (!mark.closes) {
      open.push(mark);
    } else if (partner >= 0) {
      // What was opened since then and not closed was cut off.
      [mark.opener] = open.splice(partner);
      paired = mark.opener;
    } else {
      [mark.opener, mark.sure] = [open.at(-1) ?? paired, false];
      if (!mark.opener) release();
    }
  }

  /** The mark that opens the quotation which ends in `last`, and where that stands. */
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
    const others = farther.slice(0, MOST_OPENERS);
    const inner = open.length > 0 && opener !== open[0];
    // Of an inner quotation a word or two stand in any passage.
    const own = inner && wordsOf(from(opener)).length < FEW ? [] : [opener];
    if (sure && !inner) return tried(own, anchor) ?? tried(others, standsWithMarks);
    return (
      tried(others, standsWithMarks) ??
      tried(own, anchor) ??
      tried(inner ? others : [], anchorWithMarks)
    );
  }

  function quoted(last: Mark, { numbers, raw }: { numbers: number[]; raw: string }): void {
    const after = text.slice(last.at + 1);
    const found = openerOf(last, numbers);
    const start = (found?.opener ?? last.opener)?.at ?? last.at;
    if (!found && open.length > 0) {
      // It may be part of a longer quotation that does stand somewhere.
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
    const space = spaceFor(after, said.slice(-1));
    if (found || space === '\n' || bracket !== '') say(space + bracket);
    cite(found?.places ?? []);
  }

  function settleGroup(): void {
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

  function take(unit: Said): void {
    decide(unit);
    before = isMarker(unit) ? CITED : unit;
  }

  function decide(unit: Said): void {
    settle(isMarker(unit) ? '[' : unit);
    if (isMarker(unit)) {
      sayEmphasis();
      group = { numbers: unit.numbers.slice(0, MOST_NUMBERS), raw: unit.raw, joint: '' };
      return;
    }
    if (sentenceOver && open.length === 0 && !/\s/.test(unit)) release();
    if (text.length >= HELD) release();
    if (isQuoteMark(unit)) {
      if (text === '') text = emphasis;
      emphasis = '';
      unsettled = { at: text.length, unit, before, closes: false, sure: true, opener: undefined };
      marks.push(unsettled);
      text += unit;
      sentenceOver = false;
    } else if (text === '' && /[*_]/.test(unit) && emphasis.length < LONGEST_EMPHASIS) {
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
        group.numbers.push(...unit.numbers.slice(0, MOST_NUMBERS - group.numbers.length));
        if (group.raw.length < HELD) group.raw += group.joint + unit.raw;
        group.joint = '';
      } else if (
        group &&
        typeof unit === 'string' &&
        JOINT.test(unit) &&
        group.joint.length < LONGEST_JOINT
      ) {
        group.joint += unit;
      } else {
        settleGroup();
        take(unit);
      }
    },
    end() {
      settleGroup();
      settle('');
      release();
      sayEmphasis();
      next.end();
    },
  };
}

/** The white space to stand before a marker. */
function spaceFor(between: string, before: string): string {
  if (/^[\n(（[]?$/.test(before)) return '';
  if (between.includes('\n')) return '\n';
  return /\s/.test(between) ? ' ' : '';
}

const isBetween = (text: string): boolean => text.length <= LONGEST_BETWEEN && BETWEEN.test(text);

/** The last sentence of what was said, and its last part without a citation. */
function claimsIn(said: string): readonly string[] {
  const { start, end } = sentencesOf(said).at(-1) ?? { start: 0, end: 0 };
  const sentence = said.slice(start, end).replace(/^(?:[-*+•>#]+|\d{1,3}[.)])\s+/, '');
  const parts = [sentence.replaceAll(CITED, ' '), sentence.slice(sentence.lastIndexOf(CITED) + 1)];
  return [...new Set(parts)];
}

/** With a quotation mark wherever there is one. */
const withMarks =
  (find: typeof anchor): typeof anchor =>
  (quote, passage) => {
    const place = find(quote, passage);
    if (!place) return undefined;
    const count = (text: string) => text.split('').filter(isQuoteMark).length;
    return count(quote) <= count(passage.slice(place.start, place.end)) ? place : undefined;
  };
const standsWithMarks = withMarks(stands);
const anchorWithMarks = withMarks(anchor);
