const OPENING = /^\s*<(think|thinking|thought)>/;
const MAY_OPEN = /^\s*(?:<\/?[a-z]{0,8})?$/;

/**
 * Removes the reasoning of a model before its answer. Some services send it in a separate field; others put it in
 * tags at the beginning of the answer.
 */
export class ReasoningFilter {
  #held = '';
  #state: 'undecided' | 'thinking' | 'answering' = 'undecided';
  #closing = '';

  /** The text to emit for a chunk, including earlier held-back text. */
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

  /** Held-back text that turned out to be no reasoning. */
  end(): string {
    return this.#state === 'undecided' ? this.#held : '';
  }

  #answer(text: string): string {
    this.#state = 'answering';
    this.#held = '';
    return text;
  }
}
