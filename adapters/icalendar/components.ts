import { contentLines, propertyOf, textOf, Unreadable, type ContentLine } from './content-lines.ts';

/** A component between BEGIN and END, with the properties in use. */
export interface Component {
  readonly name: string;
  /** Line of its BEGIN. */
  readonly line: number;
  readonly lines: readonly ContentLine[];
  readonly parts: readonly Component[];
  /** Why it cannot be imported, or null. */
  readonly broken: ParseError | null;
}

export interface ParseError {
  readonly line: number;
  readonly reason: string;
}

/** The properties that are read per component type; other properties and components are ignored. */
const KEPT: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    VCALENDAR: ['X-WR-TIMEZONE'],
    VEVENT: [
      ...['UID', 'DTSTART', 'DTEND', 'DURATION', 'RRULE', 'EXRULE', 'RDATE', 'EXDATE'],
      ...['RECURRENCE-ID', 'SEQUENCE', 'CREATED', 'LAST-MODIFIED', 'DTSTAMP', 'STATUS'],
      ...['SUMMARY', 'DESCRIPTION', 'LOCATION', 'X-MICROSOFT-CDO-ALLDAYEVENT'],
      ...['X-OWNER-WORKSPACE-NUMBER', 'X-OWNER-WORKSPACE-TZ'],
    ],
    VALARM: ['TRIGGER', 'ACTION'],
    VTIMEZONE: ['TZID', 'X-LIC-LOCATION', 'TZID-ALIAS-OF'],
    STANDARD: ['DTSTART', 'TZOFFSETFROM', 'TZOFFSETTO', 'RRULE', 'RDATE'],
    DAYLIGHT: ['DTSTART', 'TZOFFSETFROM', 'TZOFFSETTO', 'RRULE', 'RDATE'],
  }).map(([name, stored]) => [name, new Set(stored)]),
);

/** Components that are only children of a calendar: where one begins, the previous one has ended. */
const OUTERMOST: ReadonlySet<string> = new Set([
  ...['VCALENDAR', 'VEVENT', 'VTODO', 'VJOURNAL', 'VFREEBUSY', 'VTIMEZONE'],
]);

const DEEPEST = 16;
/** Maximum number per file: twice as many as 8 MiB contain of the smallest that programs write. */
const MAX_COMPONENTS = 100_000;
/** Maximum number of lines and children per component: more than the exceptions of any series. */
const MOST = 20_000;

interface Open {
  name: string;
  line: number;
  lines: ContentLine[];
  parts: Component[];
  broken: ParseError | null;
}

/** Splits a file into components, so that an error in one does not affect the next. */
export class Scan {
  readonly calendars: Component[] = [];
  readonly #report: (flaw: ParseError) => void;
  readonly #stack: Open[] = [];
  #count = 0;

  /** `report` is called with errors of the file that belong to none of its components. */
  constructor(report: (flaw: ParseError) => void) {
    this.#report = report;
  }

  /** Whether it was read to its end; false if it contains too much. */
  async read(text: string, breathe: () => Promise<void>): Promise<boolean> {
    for (const line of contentLines(text)) {
      if (line) this.#take(line);
      else await breathe();
      if (this.#count > MAX_COMPONENTS) return false;
    }
    this.#closeDownTo(0);
    return true;
  }

  #take(line: ContentLine): void {
    if (line.name === 'BEGIN') this.#begin(line);
    else if (line.name === 'END') this.#end(line);
    else this.#property(line);
  }

  #begin(line: ContentLine): void {
    const name = kindOf(line);
    this.#count++;
    if (name === 'VCALENDAR') this.#closeDownTo(0);
    else if (OUTERMOST.has(name)) this.#closeDownTo(1);
    if (this.#stack.length >= DEEPEST) this.#break(line, 'The components are nested too deeply.');
    else if (name === 'VCALENDAR' || this.#stack.length > 0)
      this.#stack.push({ name, line: line.number, lines: [], parts: [], broken: null });
    else if (name === 'VEVENT')
      this.#report({ line: line.number, reason: 'This event is outside of a calendar.' });
  }

  #end(line: ContentLine): void {
    const name = kindOf(line);
    const depth = this.#stack.findLastIndex((open) => open.name === name);
    if (depth < 0) {
      if (this.#stack.length > 0) this.#break(line, `END:${name} ends nothing.`);
      return;
    }
    this.#closeDownTo(depth + 1);
    this.#close();
  }

  #property(line: ContentLine): void {
    const open = this.#stack.at(-1);
    if (!open) return;
    if (line.name === '') this.#break(line, 'This line is not a content line.');
    else if (KEPT.get(open.name)?.has(line.name) !== true) return;
    else if (open.lines.length < MOST) open.lines.push(line);
    else this.#break(line, `${open.name} has more than ${MOST} lines.`);
  }

  /** The components from this depth on have no END. */
  #closeDownTo(depth: number): void {
    while (this.#stack.length > depth) {
      const { name, line } = this.#stack.at(-1)!;
      const reason = `${name} of line ${line} has no END.`;
      if (this.#stack.length === 1) this.#report({ line, reason });
      else this.#break({ number: line, name, text: '' }, reason);
      this.#close();
    }
  }

  #close(): void {
    const closed = this.#stack.pop()!;
    const parent = this.#stack.at(-1);
    if (!parent) this.calendars.push(closed);
    else if (KEPT.has(closed.name) && parent.parts.length < PARTS_OF(parent.name))
      parent.parts.push(closed);
  }

  /** An error anywhere in a component makes the whole component invalid; the first error is reported. */
  #break(line: ContentLine, reason: string): void {
    const flaw = { line: line.number, reason };
    const open = this.#stack[1];
    if (!open) this.#report(flaw);
    else open.broken ??= flaw;
  }
}

/** A calendar may have as many children as the file can contain; other components have few. */
const PARTS_OF = (name: string): number => (name === 'VCALENDAR' ? Infinity : 1_000);

const kindOf = (line: ContentLine): string =>
  line.text
    .slice(line.name.length + 1, 100)
    .trim()
    .toUpperCase();

export const linesOf = (component: Component, name: string): readonly ContentLine[] =>
  component.lines.filter((line) => line.name === name);

export const lineOf = (component: Component, name: string): ContentLine | undefined =>
  component.lines.find((line) => line.name === name);

/** The text of a property, '' if it is missing or unreadable. */
export function valueOf(component: Component, name: string): string {
  const line = lineOf(component, name);
  try {
    return line ? textOf(propertyOf(line), 1_000).trim() : '';
  } catch (error) {
    if (error instanceof Unreadable) return '';
    throw error;
  }
}
