import type { Entities } from '../../ports/enrichments.ts';
import type { DocType } from '../../ports/objects.ts';
import type { Scheduler, Instant } from '../../ports/runtime.ts';
import { wellFormed } from '../text/index.ts';
import { docTypeOf } from './doc-type.ts';
import {
  ENTITY_KINDS,
  findEntities,
  listedEntities,
  type FoundDate,
  type FoundEntities,
} from './entities/index.ts';
import { docTypeOfFile, type FileFacts } from './file-type.ts';
import { keywordsOf } from './keywords.ts';
import { meetingDateOf } from './meeting-date.ts';
import { summaryOf } from './summary.ts';
import { isPlausibleTitle, titleOf } from './title.ts';

/** The input for analysing an object. */
export interface EnrichmentInput extends FileFacts {
  readonly text: string;
  /** ISO 639-1 code, '' if it cannot be detected. */
  readonly language: string;
  /** The document's title, or the one its owner gave; '' if there is none. */
  readonly title: string;
  /** Number of pages, 1 if there are none. */
  readonly pages: number;
  /** When the object was added: the reference for meeting dates without a year. */
  readonly addedAt: Instant;
  /** The document type, if it was given. */
  readonly docType?: DocType;
}

/** Metadata derived from a text. */
export interface Findings {
  readonly language: string;
  readonly title: string;
  readonly description: string;
  readonly summary: string;
  readonly docType: DocType;
  readonly keywords: readonly string[];
  readonly entities: Entities;
  /** For `meeting_notes`: when the meeting took place. */
  readonly meetingDate: Instant | null;
  /** The first complete date near the beginning, usually that of the document itself. */
  readonly documentDate: {
    readonly year: number;
    readonly month: number;
    readonly day: number;
  } | null;
}

/** Length considered, in UTF-16 units. The rest rarely changes the result. */
const LOOKED_AT = 100_000;
const PIECE = 8_000;
/** Range in which a document's own date is expected. */
const HEAD = 1_500;

/**
 * Analyses the beginning of a text, at most a hundred thousand characters, in slices of a few milliseconds.
 *
 * Takes about 60 ms for a long text, so it belongs before the unit of work, not inside.
 */
export async function enrich(scheduler: Scheduler, input: EnrichmentInput): Promise<Findings> {
  const text = wellFormed(input.text.slice(0, LOOKED_AT)).replaceAll('\r\n', '\n');
  if (text.trim() === '') return enrichWithoutText(input);
  const docType = input.docType ?? docTypeOf(text, input).docType;
  await scheduler.yield();
  const isTable = docType === 'code' || input.kind === 'spreadsheet';
  const title = isPlausibleTitle(input.title, input) || (isTable ? '' : titleOf(text));
  const told = docType === 'code' ? { summary: '', description: '' } : summaryOf(text, title);
  await scheduler.yield();
  const pieces = piecesOf(text);
  const found = await entitiesIn(scheduler, pieces, input.language);
  const keywords = await keywordsOf(scheduler, pieces, title, input.language);
  return {
    language: input.language,
    title,
    ...told,
    docType,
    keywords,
    entities: listedEntities(found),
    meetingDate:
      docType === 'meeting_notes' ? meetingDateOf(text, found.dates, input.addedAt) : null,
    documentDate: documentDate(found.dates),
  };
}

/** Metadata of an object without text: the document type, judged by kind of file and name. */
export const enrichWithoutText = (file: FileFacts & { readonly language?: string }): Findings => ({
  language: '',
  title: '',
  description: '',
  summary: '',
  docType: docTypeOfFile(file),
  keywords: [],
  entities: Object.fromEntries(ENTITY_KINDS.map((kind) => [kind, []])),
  meetingDate: null,
  documentDate: null,
});

/** Cut at line breaks or spaces, so that no match is split. */
function piecesOf(text: string): readonly string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length;) {
    const most = Math.min(from + PIECE, text.length);
    const line = text.lastIndexOf('\n', most) + 1;
    const space = text.lastIndexOf(' ', most) + 1;
    const cut = [line, space].find((at) => at > from + PIECE / 2) ?? most;
    const end = most === text.length ? most : cut;
    pieces.push(wellFormed(text.slice(from, end)));
    from = end;
  }
  return pieces;
}

async function entitiesIn(
  scheduler: Scheduler,
  pieces: readonly string[],
  language: string,
): Promise<FoundEntities> {
  const parts: FoundEntities[] = [];
  let offset = 0;
  for (const piece of pieces) {
    parts.push(moved(findEntities(piece, language), offset));
    offset += piece.length;
    await scheduler.yield();
  }
  const of = <K extends keyof FoundEntities>(kind: K) => parts.flatMap((part) => [...part[kind]]);
  return {
    dates: parts.flatMap(({ dates }) => dates),
    amounts: of('amounts'),
    emails: of('emails'),
    urls: of('urls'),
    phones: of('phones'),
    people: of('people'),
    organizations: of('organizations'),
  };
}

const moved = (found: FoundEntities, by: number): FoundEntities => {
  const shift = <F extends { start: number; end: number }>(list: readonly F[]): readonly F[] =>
    by === 0 ? list : list.map((f) => ({ ...f, start: f.start + by, end: f.end + by }));
  return {
    dates: shift(found.dates),
    amounts: shift(found.amounts),
    emails: shift(found.emails),
    urls: shift(found.urls),
    phones: shift(found.phones),
    people: shift(found.people),
    organizations: shift(found.organizations),
  };
};

function documentDate(dates: readonly FoundDate[]): Findings['documentDate'] {
  for (const { year, month, day, start } of dates)
    if (start < HEAD && year !== undefined && day !== undefined) return { year, month, day };
  return null;
}
