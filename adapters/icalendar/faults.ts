import type { ICalendarError } from '../../ports/calendar-format.ts';

export type Report = (line: number, uid: string, reason: string) => void;

/** Maximum number of reported errors; further ones are counted. */
const MOST = 1_000;

/** The errors of a file by line: a limited number, and the count of the others. */
export class ParseErrors {
  #kept: ICalendarError[] = [];
  #left = 0;

  readonly report: Report = (line, uid, reason) => {
    this.#kept.push({ line, uid, reason });
    if (this.#kept.length >= 4 * MOST) this.#cut();
  };

  list(): readonly ICalendarError[] {
    this.#cut();
    if (this.#left === 0) return this.#kept;
    const { line } = this.#kept.at(-1)!;
    return [...this.#kept, { line, uid: '', reason: `There are ${this.#left} more errors.` }];
  }

  #cut(): void {
    this.#kept.sort((a, b) => a.line - b.line);
    this.#left += Math.max(0, this.#kept.length - MOST);
    this.#kept.length = Math.min(this.#kept.length, MOST);
  }
}
