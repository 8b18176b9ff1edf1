import { MARKER_START, markerAt, mayBecomeMarker, type MarkerKind } from './reasoning-forms.ts';

/** What a chunk adds to the answer. */
export interface Filtered {
  /** The text emitted before was reasoning. */
  readonly restarts: boolean;
  readonly text: string;
}

/** The channels of the harmony format if a server has removed its special tokens: `analysis…assistantfinal…`. */
const BARE_OPENING = 'analysis';
const BARE_CLOSING = 'assistantfinal';
/** A marker between two of these is quoted. */
const QUOTES = /^[`'"“”„«»‘’「」]$/;

/**
 * Removes the reasoning of a model from its answer: blocks anywhere, and all before a closing marker without an opening
 * one. A marker in quotation marks or in a fenced block is text. Services that send reasoning in a separate field do
 * not need this.
 */
export class ReasoningFilter {
  #state: 'start' | 'thinking' | 'answering';
  /** What may become a marker. */
  #pending = '';
  /** The text since the beginning, while it may turn out to be no reasoning. */
  #held: string | undefined;
  #isBare = false;
  /** The closing marker without an opening one counts once more text follows. */
  #mayRestart = false;
  #skipsBlanks = false;
  #restarts = false;
  #out = '';
  #last = '';
  #backticks = '';
  #isFenced = false;
  #hasText = false;
  #beganOpen: boolean | undefined;

  /** @param isOpen the answer is expected to begin with reasoning that has no opening marker, and is held back. */
  constructor(isOpen = false) {
    this.#state = isOpen ? 'thinking' : 'start';
    this.#held = isOpen ? '' : undefined;
  }

  /** Whether the answer began with reasoning that had no opening marker; undefined while that cannot be known. */
  get beganOpen(): boolean | undefined {
    return this.#beganOpen;
  }

  /** What a chunk adds, with what was pending before. */
  feed(piece: string): Filtered {
    this.#scan(this.#pending + piece, false);
    return this.#taken();
  }

  /** What is left. `isCutOff`: the model has not ended by itself, so that what is held back is reasoning. */
  end(isCutOff = false): Filtered {
    this.#scan(this.#pending, true);
    if (this.#held !== undefined && !isCutOff) {
      this.#state = 'answering';
      this.#emit(this.#held);
    }
    this.#held = undefined;
    if (this.#hasText && !isCutOff) this.#beganOpen ??= false;
    return this.#taken();
  }

  #taken(): Filtered {
    const taken = { restarts: this.#restarts, text: this.#out };
    this.#out = '';
    this.#restarts = false;
    return taken;
  }

  #scan(text: string, isLast: boolean): void {
    this.#pending = '';
    for (let index = 0; index < text.length;) {
      if (this.#state === 'start') {
        index = this.#begin(text, index, isLast);
        if (index === text.length) return;
      }
      const start = this.#nextStart(text, index);
      this.#pass(text.slice(index, start));
      if (start === text.length) return;
      const marker = this.#markerAt(text, start);
      const isOpenEnded = marker
        ? start + marker.length === text.length
        : this.#mayGrow(text, start);
      if (!isLast && isOpenEnded && (!marker || this.#state === 'answering')) {
        this.#pending = text.slice(start);
        return;
      }
      const length = marker?.length ?? 1;
      if (marker && !this.#isQuoted(text, start, length)) this.#apply(marker.kind);
      else this.#pass(text.slice(start, start + length));
      index = start + length;
    }
  }

  /** Decides how an answer begins; returns where to go on. */
  #begin(text: string, index: number, isLast: boolean): number {
    const rest = text.slice(index).trimStart();
    if (!isLast && BARE_OPENING.startsWith(rest)) {
      // Leading blanks are not part of the answer.
      this.#pending = rest;
      return text.length;
    }
    if (/^analysis[A-Z]/.test(rest)) {
      this.#isBare = true;
      this.#held = '';
      this.#state = 'thinking';
    } else if (!markerAt(rest, 0) && !mayBecomeMarker(rest, 0)) this.#state = 'answering';
    return text.length - rest.length;
  }

  #nextStart(text: string, index: number): number {
    if (this.#isBare && this.#state === 'thinking') {
      for (let at = text.indexOf('a', index); at >= 0; at = text.indexOf('a', at + 1))
        if (text.startsWith(BARE_CLOSING, at) || isEnding(text, at)) return at;
      return text.length;
    }
    MARKER_START.lastIndex = index;
    return MARKER_START.exec(text)?.index ?? text.length;
  }

  #markerAt(text: string, index: number): ReturnType<typeof markerAt> {
    if (this.#isBare && text.startsWith(BARE_CLOSING, index))
      return { kind: 'closing', length: BARE_CLOSING.length };
    return markerAt(text, index);
  }

  #mayGrow(text: string, index: number): boolean {
    return mayBecomeMarker(text, index) || (this.#isBare && isEnding(text, index));
  }

  #isQuoted(text: string, start: number, length: number): boolean {
    if (this.#state !== 'answering') return false;
    const before = start > 0 ? text.charAt(start - 1) : this.#last;
    const after = text.charAt(start + length);
    return this.#isFenced || (QUOTES.test(before) && QUOTES.test(after));
  }

  #apply(kind: MarkerKind): void {
    if (kind === 'opening') {
      // An opening after all: what is unfinished in it is reasoning.
      if (this.#held?.trim() === '') this.#held = undefined;
      this.#state = 'thinking';
      return;
    }
    if (this.#state === 'thinking') {
      if (this.#held !== undefined && !this.#isBare) this.#beganOpen = true;
      this.#held = undefined;
    } else if (kind === 'closing') this.#mayRestart = this.#hasText;
    this.#state = 'answering';
    this.#skipsBlanks ||= kind === 'closing' || !this.#hasText;
  }

  /** Text outside of markers. */
  #pass(text: string): void {
    if (this.#state === 'thinking') {
      if (this.#held !== undefined) this.#held += text;
    } else this.#emit(text);
  }

  #emit(piece: string): void {
    const text = this.#skipsBlanks ? piece.trimStart() : piece;
    if (text === '') return;
    if (this.#mayRestart && text.trim() !== '') {
      this.#mayRestart = false;
      this.#beganOpen = true;
      this.#restarts = true;
      this.#out = '';
      this.#isFenced = false;
    }
    this.#skipsBlanks = false;
    this.#hasText ||= text.trim() !== '';
    if (this.#state === 'start' && this.#hasText) this.#state = 'answering';
    this.#out += text;
    this.#last = text.at(-1) ?? '';
    const joined = this.#backticks + text;
    if ((joined.match(/```/g)?.length ?? 0) % 2 === 1) this.#isFenced = !this.#isFenced;
    this.#backticks = /`{1,2}$/.exec(joined.replaceAll('```', ''))?.[0] ?? '';
  }
}

/** Whether a text ends within the closing that begins at an index. */
const isEnding = (text: string, index: number): boolean =>
  text.length - index < BARE_CLOSING.length && BARE_CLOSING.startsWith(text.slice(index));
