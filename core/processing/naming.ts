import type { DocType } from '../../ports/objects.ts';
import { comparable, truncate, type FileFacts, type Findings } from '../enrichment/index.ts';
import { nameFromTitle, stemOf, titleFromLine } from '../objects/index.ts';

export interface SuggestedName {
  readonly filename: string;
  /** A sentence for the user. */
  readonly reason: string;
}

type Labels = Readonly<Record<string, string>>;

/** Types with many similar documents, distinguished by date and sender. */
const DATED: Partial<Record<DocType, Labels>> = {
  invoice: { en: 'Invoice', ru: 'Счёт', de: 'Rechnung', fr: 'Facture', es: 'Factura' },
  receipt: { en: 'Receipt', ru: 'Чек', de: 'Beleg', fr: 'Reçu', es: 'Recibo' },
  bank_statement: {
    en: 'Bank statement',
    ru: 'Выписка по счёту',
    de: 'Kontoauszug',
    fr: 'Relevé de compte',
    es: 'Extracto bancario',
  },
  letter: { en: 'Letter', ru: 'Письмо', de: 'Brief', fr: 'Lettre', es: 'Carta' },
  contract: { en: 'Contract', ru: 'Договор', de: 'Vertrag', fr: 'Contrat', es: 'Contrato' },
  meeting_notes: {
    en: 'Meeting notes',
    ru: 'Протокол встречи',
    de: 'Besprechungsprotokoll',
    fr: 'Compte rendu',
    es: 'Acta de reunión',
  },
  ticket: { en: 'Ticket', ru: 'Билет', de: 'Ticket', fr: 'Billet', es: 'Billete' },
  tax: {
    en: 'Tax document',
    ru: 'Налоговый документ',
    de: 'Steuer',
    fr: 'Impôts',
    es: 'Impuestos',
  },
  medical: {
    en: 'Medical record',
    ru: 'Медицинский документ',
    de: 'Befund',
    fr: 'Santé',
    es: 'Salud',
  },
};
/** Their own title is more specific than the name of the type. */
const TITLED = new Set<DocType>(['contract', 'meeting_notes', 'ticket', 'tax', 'medical']);
/** Types that are not renamed: programs, cameras or the owner named them. */
const LEFT_ALONE = new Set<DocType>(['code', 'note', 'photo', 'screenshot', 'spreadsheet']);
const KINDS = new Set(['pdf', 'document', 'presentation', 'text', 'email', 'image']);
const FORMATS_LEFT_ALONE = new Set('json xml log html ics vcf csv tsv'.split(' '));

const MAX_PART_LENGTH = 60;
const MAX_STEM_LENGTH = 100;
/** Words of a name that are equivalent to the suggestion's. */
const ALREADY_SAID = 0.75;

/**
 * A better name for a file based on its content, with its extension; undefined if the present one is as good.
 *
 * @param byModel the title was written by a model, not taken from the text.
 */
export function nameFor(
  file: FileFacts,
  findings: Findings,
  byModel: boolean,
): SuggestedName | undefined {
  if (!KINDS.has(file.kind) || FORMATS_LEFT_ALONE.has(file.format)) return undefined;
  if (LEFT_ALONE.has(findings.docType)) return undefined;
  const { stem: present, extension } = stemOf(file.filename);
  const created = DATED[findings.docType]
    ? byType(file, findings, byModel)
    : byTitle(findings, byModel);
  if (!created) return undefined;
  const filename = nameFromTitle(titleFromLine(created.stem), extension);
  if (isAsGood(present, stemOf(filename).stem) || filename === file.filename) return undefined;
  return { filename, reason: created.reason };
}

interface Made {
  readonly stem: string;
  readonly reason: string;
}

/** `2024-03-12 Invoice Acme GmbH`. A type alone is not enough: a date or an organization is required. */
function byType({ kind }: FileFacts, findings: Findings, byModel: boolean): Made | undefined {
  const { docType, language, title } = findings;
  const labels = DATED[docType] ?? {};
  const inLanguage = Object.hasOwn(labels, language) ? labels[language] : undefined;
  const label = inLanguage ?? labels['en'] ?? '';
  const day = dayOf(findings);
  const from = firstOf(findings.entities['organizations']);
  if (day === undefined && from === undefined) return byTitle(findings, byModel);
  const named =
    // The subject of a mail is more specific than its type.
    (TITLED.has(docType) || kind === 'email') && title !== ''
      ? inSentenceCase(truncate(title, MAX_PART_LENGTH).replace(/…$/, ''))
      : label;
  const told = [
    named,
    from === undefined || deletionHolds(named, from) ? '' : truncate(from, MAX_PART_LENGTH),
  ];
  const what = day !== undefined && deletionHolds(named, day) ? told : [day ?? '', ...told];
  const of = from === undefined ? '' : ` of ${from}`;
  const dated = day === undefined ? '' : ` dated ${day}`;
  return {
    stem: what
      .filter((part) => part !== '')
      .join(' ')
      .replace(/[\s.]+$/, ''),
    reason: `The text reads as ${PHRASES[docType] ?? `a ${docType.replaceAll('_', ' ')}`}${of}${dated}.`,
  };
}

const PHRASES: Partial<Record<DocType, string>> = {
  invoice: 'an invoice',
  meeting_notes: 'notes of a meeting',
  tax: 'a tax document',
  medical: 'a medical record',
};

/** A single word is rarely a useful name: `Application`, `Certificate`. */
function byTitle({ title }: Findings, byModel: boolean): Made | undefined {
  const words = comparable(title);
  if (title.endsWith('…') || (words.length < 2 && !/\p{Script=Han}{4}/u.test(title)))
    return undefined;
  const stem = inSentenceCase([...title].slice(0, MAX_STEM_LENGTH).join(''));
  return {
    stem,
    reason: byModel ? 'This is what the text is about.' : 'This is the title of the text.',
  };
}

/** Titles are set in capitals, file names are not. */
const inSentenceCase = (title: string): string =>
  title.length > 8 && title === title.toUpperCase() && title !== title.toLowerCase()
    ? title.charAt(0) + title.slice(1).toLowerCase()
    : title;

function dayOf({ meetingDate, documentDate }: Findings): string | undefined {
  if (meetingDate !== null) return new Date(meetingDate).toISOString().slice(0, 10);
  if (!documentDate) return undefined;
  const { year, month, day } = documentDate;
  return [String(year), String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('-');
}

const firstOf = (list: unknown): string | undefined =>
  Array.isArray(list) && typeof list[0] === 'string' ? list[0] : undefined;

const deletionHolds = (text: string, part: string): boolean =>
  comparable(text).join(' ').includes(comparable(part).join(' '));

/** Whether a name contains most of the other one's words, ignoring punctuation, order and case. */
function isAsGood(present: string, suggested: string): boolean {
  const has = new Set(comparable(present.replaceAll(/[_.]+/g, ' ')));
  const input = comparable(suggested);
  if (input.length === 0) return true;
  return input.filter((word) => has.has(word)).length >= ALREADY_SAID * input.length;
}
