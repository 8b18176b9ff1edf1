import type { Entities } from '../../../ports/enrichments.ts';
import { DOC_TYPES, type DocType } from '../../../ports/objects.ts';
import { codePointLength } from '../../text/index.ts';
import { ENTITY_KINDS } from '../entities/index.ts';
import type { Findings } from '../enrich.ts';
import { parseJsonObject } from './json-reply.ts';
import { isLanguageCode } from './languages.ts';
import { verbatimIn } from './verbatim-check.ts';

/** A model's findings about a text. */
export type ModelFindings = Omit<Findings, 'meetingDate' | 'documentDate'>;

/** Limits in code points, and in entries of a list. */
const MOST = { title: 200, description: 500, summary: 2_000, keyword: 60, entity: 200 };
const MAX_KEYWORDS = 20;
const MAX_ENTITIES = 50;

/** Control characters except white space, and characters that force a text direction. */
const UNSAFE =
  // eslint-disable-next-line no-control-regex -- refusing control characters is the point
  /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]|\p{Surrogate}/u;

/** The reply does not have the requested format. */
class Unfit extends Error {}

/**
 * Parses the findings about the text that the model was shown. Undefined if a field is missing, of the wrong type,
 * too long or unsafe. Entities that do not occur in the text are removed.
 *
 * @param language the detected language, used if the reply has none
 */
export function parseModelReply(
  reply: string,
  shown: string,
  language: string,
): ModelFindings | undefined {
  const sent = parseJsonObject(reply);
  if (!sent) return undefined;
  try {
    return {
      language: languageOf(sent['language'], language),
      title: required(line(sent['title'], MOST.title)),
      description: line(sent['description'], MOST.description),
      summary: required(paragraphs(sent['summary'], MOST.summary)),
      docType: docTypeOf(sent['doc_type']),
      keywords: once(lines(sent['keywords'], MAX_KEYWORDS, MOST.keyword)),
      entities: entitiesOf(sent['entities'], shown),
    };
  } catch (error) {
    if (error instanceof Unfit) return undefined;
    throw error;
  }
}

/** Absent and null are equal. */
function text(sent: unknown): string {
  if (sent === undefined || sent === null) return '';
  if (typeof sent !== 'string' || UNSAFE.test(sent)) throw new Unfit();
  return sent.normalize('NFC');
}

function bounded(plain: string, most: number): string {
  if (codePointLength(plain) > most) throw new Unfit();
  return plain;
}

const line = (sent: unknown, most: number): string =>
  bounded(text(sent).replaceAll(/\s+/g, ' ').trim(), most);

const paragraphs = (sent: unknown, most: number): string =>
  bounded(
    text(sent)
      .replaceAll(/[^\S\n]+/g, ' ')
      .replaceAll(/ ?\n[ \n]*/g, '\n')
      .trim(),
    most,
  );

function required(plain: string): string {
  if (plain === '') throw new Unfit();
  return plain;
}

function lines(sent: unknown, mostLines: number, most: number): readonly string[] {
  if (sent === undefined || sent === null) return [];
  if (!Array.isArray(sent) || sent.length > mostLines) throw new Unfit();
  return sent.map((each: unknown) => {
    if (typeof each !== 'string') throw new Unfit();
    return line(each, most);
  });
}

/** Without duplicates, ignoring case. */
function once(all: readonly string[]): readonly string[] {
  const found = new Map<string, string>();
  for (const each of all)
    if (each !== '' && !found.has(each.toLowerCase())) found.set(each.toLowerCase(), each);
  return [...found.values()];
}

/** Any spelling: `Bank statement` is `bank_statement`. */
function docTypeOf(sent: unknown): DocType {
  const plain = line(sent, MOST.keyword)
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
  const known = DOC_TYPES.find((each) => each === plain);
  if (!known) throw new Unfit();
  return known;
}

function languageOf(sent: unknown, otherwise: string): string {
  const code = text(sent).trim().toLowerCase().split(/[-_]/)[0] ?? '';
  return isLanguageCode(code) ? code : otherwise;
}

/** In order of appearance in the text. */
function entitiesOf(sent: unknown, shown: string): Entities {
  if (sent !== undefined && sent !== null && (typeof sent !== 'object' || Array.isArray(sent)))
    throw new Unfit();
  const standing = verbatimIn(shown);
  const of = (sent ?? {}) as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    ENTITY_KINDS.map((kind) => {
      const found = once(lines(of[kind], MAX_ENTITIES, MOST.entity))
        .map((each) => ({ each, at: standing.positionOf(each) }))
        .filter(({ at }) => at >= 0)
        .sort((a, b) => a.at - b.at);
      return [kind, found.map(({ each }) => each)];
    }),
  );
}
