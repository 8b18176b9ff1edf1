import type { FileFault } from '../../ports/calendar-format.ts';

export type Report = (line: number, uid: string, reason: string) => void;

/** More than anybody reads; what is past it is counted. */
const MOST = 1_000;

/** What is wrong with a file, in the order of its lines: the first so many, and how many more there are. */
export class Faults {
  #kept: FileFault[] = [];
  #left = 0;

  readonly report: Report = (line, uid, reason) => {
    this.#kept.push({ line, uid, reason });
    if (this.#kept.length >= 4 * MOST) this.#cut();
  };

  list(): readonly FileFault[] {
    this.#cut();
    if (this.#left === 0) return this.#kept;
    const { line } = this.#kept.at(-1)!;
    return [...this.#kept, { line, uid: '', reason: `${this.#left} more faults follow.` }];
  }

  #cut(): void {
    this.#kept.sort((a, b) => a.line - b.line);
    this.#left += Math.max(0, this.#kept.length - MOST);
    this.#kept.length = Math.min(this.#kept.length, MOST);
  }
}
