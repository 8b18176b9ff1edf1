import * as XLSX from '@e965/xlsx';
import type { ParsingOptions, WorkBook } from '@e965/xlsx';
import * as codePages from '@e965/xlsx/dist/cpexcel';
import { MAX_PAGES } from '../process/protocol.ts';
import { commentText } from './annotations-text.ts';
import { isCompound, openCompound } from './compound-file.ts';
import { PROTECTED, UnreadableFileError, type Page, type ReaderResult } from './reader-result.ts';
import { sheetDrawingsOf } from './sheet-drawings.ts';
import { SheetText } from './sheet-text.ts';
import { OWN_ENTITIES } from './xml.ts';
import { openZip, type Zip } from './zip.ts';

XLSX.set_cptable(codePages);
/** Exported, but not in the type declarations. */
const { parse_zip: readParts } = XLSX as unknown as {
  readonly parse_zip: (zip: unknown, options: ParsingOptions) => WorkBook;
};

/** Row limit per sheet: first a small one, which usually yields enough text, then the maximum. */
const ROWS = [30_000, 200_000] as const;

const OPTIONS: ParsingOptions = {
  dense: true,
  cellFormula: false,
  cellHTML: false,
  cellText: true,
  bookVBA: false,
  /** The built-in format for a short date in the viewer's locale. */
  dateNF: 'yyyy-mm-dd',
};

/** Excel workbooks in old and new formats: one page per sheet, cells as displayed. */
export async function readSheets(bytes: Uint8Array, longest: number): Promise<ReaderResult> {
  const zip = isCompound(bytes) ? undefined : await openZip(bytes);
  const parse = zip ? parsePackage(await partsOf(zip)) : parseOld(bytes);
  const drawings = zip ? await sheetDrawingsOf(zip) : NO_DRAWINGS;
  for (const sheetRows of ROWS) {
    const book = parse({ ...OPTIONS, sheetRows });
    if (book.SheetNames.length > MAX_PAGES)
      throw new UnreadableFileError('The file has too many sheets.');
    const { pages, full } = pagesOf(book, longest, drawings);
    if (full || !isCut(book) || sheetRows === ROWS[1])
      return { source: 'extracted', title: book.Props?.Title ?? '', pages, prose: true };
  }
  throw new Error('There is a last number of rows.');
}

type Parse = (options: ParsingOptions) => WorkBook;

/** Whether a sheet has more rows than requested. */
const isCut = (book: WorkBook): boolean =>
  Object.values(book.Sheets).some((sheet) => sheet['!fullref'] !== undefined);

type Drawings = ReadonlyMap<string, string>;
const NO_DRAWINGS: Drawings = new Map();

function pagesOf(
  book: WorkBook,
  longest: number,
  drawings: Drawings,
): { pages: readonly Page[]; full: boolean } {
  let left = longest;
  const pages = book.SheetNames.map((name, i) => {
    const hidden = (book.Workbook?.Sheets?.[i]?.Hidden ?? 0) !== 0;
    const sheet = Object.hasOwn(book.Sheets, name) ? book.Sheets[name] : undefined;
    const text = textOf(sheet ?? {}, left);
    text.append(drawings.get(name) ?? '');
    text.append(commentText(text.comments));
    const page = text.page(name, hidden);
    left -= page.text.length;
    return page;
  });
  return { pages, full: left <= 0 };
}

type Parts = Readonly<Record<string, { readonly name: string; asNodeBuffer(): Buffer }>>;

async function partsOf(zip: Zip): Promise<Parts> {
  const parts = new Map<string, Parts[string]>();
  for (const name of zip.names) {
    if (name.endsWith('/') || !NEEDED.test(name)) continue;
    const content = await zip.read(name);
    if (content.includes('<!ENTITY')) throw new UnreadableFileError(OWN_ENTITIES);
    parts.set(name, { name, asNodeBuffer: () => content });
  }
  return Object.fromEntries(parts);
}

/** The library gets the parts already decompressed, so that it decompresses nothing itself. */
const parsePackage =
  (files: Parts): Parse =>
  (options) =>
    readParts({ files }, options);

/** Cells and their formats only: no images, no macros, and nothing that changes the detected format. */
const NEEDED =
  /^(?!META-INF\/|objectdata\.xml).*\.(?:xml|rels)$|^xl\/(?:workbook|styles|sharedStrings|worksheets\/[^/]+)\.bin$/i;

function parseOld(bytes: Uint8Array): Parse {
  if (openCompound(bytes).has('EncryptedPackage'))
    throw new UnreadableFileError(PROTECTED, { sound: true });
  return (options) => {
    try {
      return XLSX.read(bytes, { ...options, type: 'buffer' });
    } catch (error) {
      if (error instanceof Error && /password/i.test(error.message))
        throw new UnreadableFileError(PROTECTED, { sound: true });
      throw error;
    }
  };
}

interface Cell {
  readonly w?: string;
  readonly v?: unknown;
  /** Comments, the oldest first. */
  readonly c?: readonly { readonly a?: string; readonly t?: string }[];
}
type Range = { readonly s: Place; readonly e: Place };
type Place = { readonly r: number; readonly c: number };

/** Only existing cells are visited, regardless of the declared size of the sheet. */
function textOf(sheet: Record<string, unknown>, budget: number): SheetText {
  const rows = (sheet['!data'] ?? []) as readonly (readonly (Cell | undefined)[] | undefined)[];
  const covered = coveredBy((sheet['!merges'] ?? []) as readonly Range[]);
  const text = new SheetText(budget);
  // `Object.keys` skips holes; an array may declare a length of a million.
  for (const r of Object.keys(rows).map(Number)) {
    const row = rows[r] ?? [];
    for (const c of Object.keys(row).map(Number)) {
      if (!covered(r, c)) text.cell(c, shownIn(row[c]));
      for (const { a = '', t = '' } of row[c]?.c ?? [])
        text.comment(XLSX.utils.encode_cell({ r, c }), a, t);
    }
    text.endRow();
    if (text.full) break;
  }
  return text;
}

const shownIn = (cell: Cell | undefined): string =>
  cell?.w ?? (typeof cell?.v === 'string' || typeof cell?.v === 'number' ? String(cell.v) : '');

/** Whether a cell is covered by a merged one, which shows the value of its first cell. */
function coveredBy(merges: readonly Range[]): (row: number, column: number) => boolean {
  const byRow = new Map<number, Range[]>();
  for (const merge of merges.slice(0, MAX_MERGES))
    for (let r = merge.s.r; r <= Math.min(merge.e.r, merge.s.r + TALLEST_MERGE); r++)
      byRow.set(r, [...(byRow.get(r) ?? []), merge]);
  return (r, c) =>
    byRow.get(r)?.some(({ s, e }) => c >= s.c && c <= e.c && (r !== s.r || c !== s.c)) ?? false;
}

const MAX_MERGES = 10_000;
const TALLEST_MERGE = 100;
