import type { TextRange } from '../text/index.ts';
import { CITED, CitedText, type Register } from './cited-text.ts';
import { isMarker, type MarkerOrText } from './markers.ts';
import { openerOf, type Mark } from './opening-mark.ts';
import { isMatchingPair, isQuoteMark, quoteRole } from './quote-marks.ts';
import { endsInBlankLine, MAX_HELD_BACK, type Stage } from './stages.ts';

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

/** Consecutive markers. */
interface MarkerGroup {
  readonly numbers: number[];
  raw: string;
  joint: string;
}

/**
 * Replaces quotations and markers in model output by citations. From a quotation mark on, text is held back until the
 * sentence ends or a marker decides.
 */
export class QuoteStage<Place> {
  readonly #register: Register<Place>;
  readonly #output: CitedText<Place>;
  /** Held-back text from a quotation mark on, with its marks and markers. */
  #text = '';
  #marks: Mark[] = [];
  #open: Mark[] = [];
  #waiting: Waiting[] = [];
  /** The opening mark of the last closed pair. */
  #paired: Mark | undefined;
  #unsettled: Mark | undefined;
  #sentenceOver = false;
  #group: MarkerGroup | undefined;
  /**
   * The previous unit. A string under construction is not indexed at each step, because that flattens (copies) it.
   */
  #before = '';
  /** Asterisks allowed around a quotation. */
  #emphasis = '';

  constructor(register: Register<Place>, next: Stage) {
    this.#register = register;
    this.#output = new CitedText(register, next);
  }

  push(unit: MarkerOrText): void {
    const group = this.#group;
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
      this.#finalizeGroup();
      this.#take(unit);
    }
  }

  end(): void {
    this.#finalizeGroup();
    this.#settle('');
    this.#release();
    this.#sayEmphasis();
    this.#output.end();
  }

  #take(unit: MarkerOrText): void {
    this.#settle(isMarker(unit) ? '[' : unit);
    if (isMarker(unit)) {
      this.#sayEmphasis();
      this.#group = { numbers: unit.numbers.slice(0, MAX_NUMBERS), raw: unit.raw, joint: '' };
      this.#before = CITED;
    } else {
      this.#takeText(unit);
      this.#before = unit;
    }
  }

  #takeText(unit: string): void {
    if (this.#sentenceOver && this.#open.length === 0 && !/\s/.test(unit)) this.#release();
    if (this.#text.length >= MAX_HELD_BACK) this.#release();
    if (isQuoteMark(unit)) {
      this.#takeMark(unit);
    } else if (this.#text !== '') {
      this.#hold(unit);
    } else if (/[*_]/.test(unit) && this.#emphasis.length < MAX_EMPHASIS_LENGTH) {
      this.#emphasis += unit;
    } else {
      this.#sayEmphasis();
      this.#output.say(unit);
    }
  }

  #takeMark(unit: string): void {
    if (this.#text === '') this.#text = this.#emphasis;
    this.#emphasis = '';
    const [at, before] = [this.#text.length, this.#before];
    this.#unsettled = { at, unit, before, closes: false, sure: true, opener: undefined };
    this.#marks.push(this.#unsettled);
    this.#text += unit;
    this.#sentenceOver = false;
  }

  #hold(unit: string): void {
    this.#sentenceOver ||=
      /[\n。！？]/.test(unit) ||
      (/\s/.test(unit) && /[.!?…]/.test(this.#before) && !INITIAL.test(this.#text.slice(-3)));
    this.#text += unit;
    if (unit === '\n' && endsInBlankLine(this.#text)) this.#release();
  }

  /** Judges the last quotation mark by the unit after it. */
  #settle(after: string): void {
    const mark = this.#unsettled;
    if (!mark) return;
    this.#unsettled = undefined;
    const role = quoteRole(mark.unit, mark.before, after);
    mark.sure = role !== 'either';
    const partner = this.#open
      .map((each) => isMatchingPair(each.unit, mark.unit))
      .lastIndexOf(true);
    mark.closes = role === 'closes' || (role === 'either' && partner >= 0);
    if (!mark.closes) {
      this.#open.push(mark);
    } else if (partner >= 0) {
      // Marks opened since then and not closed were cut off.
      [mark.opener] = this.#open.splice(partner);
      this.#paired = mark.opener;
    } else {
      [mark.opener, mark.sure] = [this.#open.at(-1) ?? this.#paired, false];
      if (!mark.opener) this.#release();
    }
  }

  #finalizeGroup(): void {
    if (!this.#group) return;
    const { numbers, raw, joint } = this.#group;
    const last = this.#marks.at(-1);
    this.#group = undefined;
    if (this.#text === '') {
      this.#output.citeSentence(numbers);
    } else if (last?.closes && isBetween(this.#text.slice(last.at + 1))) {
      this.#quoted(last, numbers, raw);
    } else if (this.#open.length > 0) {
      const start = this.#text.length;
      this.#text += raw;
      this.#waiting.push({ start, end: this.#text.length, numbers });
    } else {
      this.#release();
      this.#output.citeSentence(numbers);
    }
    for (const unit of joint.split('')) this.#take(unit);
  }

  /** A quotation that ends at `last`, with the markers after it. */
  #quoted(last: Mark, numbers: readonly number[], raw: string): void {
    const after = this.#text.slice(last.at + 1);
    const held = { text: this.#text, marks: this.#marks, open: this.#open };
    const found = openerOf(last, held, this.#register, numbers);
    const start = (found?.opener ?? last.opener)?.at ?? last.at;
    if (!found && this.#open.length > 0) {
      // It may be part of a longer quotation that does occur.
      this.#text += raw;
      this.#waiting = [
        ...this.#waiting.filter((each) => each.start < start),
        { start, end: this.#text.length, numbers: undefined },
      ];
      return;
    }
    const [, stars = '', punctuation = '', bracket = ''] = BETWEEN.exec(after) ?? [];
    const marked = stars !== '' && this.#text.slice(0, start).endsWith(stars);
    this.#sayHeld(marked ? start - stars.length : start);
    this.#clear();
    this.#output.gap();
    this.#output.say((marked ? '' : stars) + punctuation);
    const space = spaceFor(after, this.#output.last());
    if (found || space === '\n' || bracket !== '') this.#output.say(space + bracket);
    this.#output.cite(found?.places ?? []);
  }

  #sayEmphasis(): void {
    this.#output.say(this.#emphasis);
    this.#emphasis = '';
  }

  /** Emits the held-back text up to that position, with the citations in it. */
  #sayHeld(end: number): void {
    let at = 0;
    for (const each of this.#waiting.filter((one) => one.end <= end)) {
      this.#output.say(this.#text.slice(at, each.start));
      if (each.numbers) this.#output.citeSentence(each.numbers);
      else this.#output.gap();
      at = each.end;
    }
    this.#output.say(this.#text.slice(at, end));
  }

  #release(): void {
    this.#sayHeld(this.#text.length);
    this.#clear();
  }

  #clear(): void {
    [this.#text, this.#marks, this.#open, this.#waiting] = ['', [], [], []];
    [this.#paired, this.#sentenceOver] = [undefined, false];
  }
}

/** White space to insert before a marker. */
function spaceFor(between: string, before: string): string {
  if (/^[\n(（[]?$/.test(before)) return '';
  if (between.includes('\n')) return '\n';
  return /\s/.test(between) ? ' ' : '';
}

const isBetween = (text: string): boolean => text.length <= MAX_GAP_LENGTH && BETWEEN.test(text);
