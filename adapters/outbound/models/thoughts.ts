const OPENING = /^\s*<(think|thinking|thought)>/;
const MAY_OPEN = /^\s*(?:<\/?[a-z]{0,8})?$/;

/**
 * Takes out what a model thinks aloud before it answers. Services that know of it tell it apart; from others it comes
 * within the answer, between tags at its very beginning.
 */
export class Thoughts {
  #held = '';
  #state: 'undecided' | 'thinking' | 'answering' = 'undecided';
  #closing = '';

  /** What of a piece, and of what was held back before it, is said. */
  feed(piece: string): string {
    if (this.#state === 'answering') return piece;
    this.#held += piece;
    if (this.#state === 'undecided') {
      if (MAY_OPEN.test(this.#held)) return '';
      const [whole = '', name] = OPENING.exec(this.#held) ?? [];
      if (name === undefined) return this.#answer(this.#held);
      this.#state = 'thinking';
      this.#closing = `</${name}>`;
      this.#held = this.#held.slice(whole.length);
    }
    const end = this.#held.indexOf(this.#closing);
    if (end >= 0) return this.#answer(this.#held.slice(end + this.#closing.length).trimStart());
    this.#held = this.#held.slice(-this.#closing.length);
    return '';
  }

  /** What was held back and turned out to be no thought. */
  end(): string {
    return this.#state === 'undecided' ? this.#held : '';
  }

  #answer(text: string): string {
    this.#state = 'answering';
    this.#held = '';
    return text;
  }
}
