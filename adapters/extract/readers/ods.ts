import { MAX_PAGES } from '../process/protocol.ts';
import { openDocument } from './odf.ts';
import { UnreadableFileError, type Page, type ReaderResult } from './reader-result.ts';
import { SheetText } from './sheet-text.ts';
import { walkXml, type Attributes, type XmlEvents } from './xml.ts';

const MAX_ROW_REPEATS = 1_000;
const MAX_CELL_REPEATS = 256;
const MAX_SPACES = 100;

/**
 * OpenDocument spreadsheets: one page per sheet, cells as displayed. Parsed as a stream, since there may be millions
 * of cells.
 */
export async function readOds(bytes: Uint8Array, longest: number): Promise<ReaderResult> {
  const { zip, title } = await openDocument(bytes);
  const sheets = new Sheets(longest);
  await walkXml(await zip.read('content.xml'), sheets);
  sheets.end();
  if (sheets.pages.length > MAX_PAGES)
    throw new UnreadableFileError('The file has too many sheets.');
  return { source: 'extracted', title, pages: sheets.pages, prose: true };
}

interface Cell {
  readonly text: string;
  readonly repeats: number;
}

/** Elements whose paragraphs are not displayed in a cell. */
const ASIDE = new Set([
  'office:annotation',
  'table:tracked-changes',
  'office:forms',
  'office:script',
]);

class Sheets implements XmlEvents {
  readonly pages: Page[] = [];
  readonly #hiddenStyles = new Set<string>();
  #style = '';
  #left: number;
  #sheet: SheetText | undefined;
  #name = '';
  #hidden = false;
  #tables = 0;
  #aside = 0;
  #paragraphs = 0;
  #row: Cell[] = [];
  #rowRepeats = 1;
  #cell: { text: string; value: string; readonly repeats: number } | undefined;

  constructor(longest: number) {
    this.#left = longest;
  }

  /** The text limit is reached. */
  get done(): boolean {
    return this.#sheet?.full ?? this.#left <= 0;
  }

  /** The partially read sheet counts as well. */
  end(): void {
    if (this.#tables > 0) this.#endSheet();
  }

  open(name: string, attributes: Attributes): void {
    if (ASIDE.has(name)) this.#aside++;
    if (this.#aside > 0) return;
    switch (name) {
      case 'style:style':
        this.#style = attributes['style:name'] ?? '';
        break;
      case 'style:table-properties':
        if (attributes['table:display'] === 'false') this.#hiddenStyles.add(this.#style);
        break;
      case 'table:table':
        if (++this.#tables === 1) this.#beginSheet(attributes);
        break;
      case 'table:table-row':
        this.#row = [];
        this.#rowRepeats = repeatsIn(attributes, 'table:number-rows-repeated', MAX_ROW_REPEATS);
        break;
      case 'table:table-cell':
      case 'table:covered-table-cell':
        this.#cell = {
          text: '',
          value: name === 'table:table-cell' ? valueIn(attributes) : '',
          repeats: repeatsIn(attributes, 'table:number-columns-repeated', Infinity),
        };
        break;
      case 'text:p':
      case 'text:h':
        this.#paragraphs++;
        this.text(' ');
        break;
      case 'text:s':
        this.text(' '.repeat(repeatsIn(attributes, 'text:c', MAX_SPACES)));
        break;
      case 'text:tab':
      case 'text:line-break':
        this.text(' ');
    }
  }

  text(text: string): void {
    if (this.#cell && this.#paragraphs > 0 && this.#aside === 0) this.#cell.text += text;
  }

  close(name: string): void {
    if (ASIDE.has(name)) this.#aside--;
    else if (this.#aside > 0) return;
    else if (name === 'text:p' || name === 'text:h') this.#paragraphs--;
    else if (name === 'table:table-cell') this.#endCell(true);
    else if (name === 'table:covered-table-cell') this.#endCell(false);
    else if (name === 'table:table-row') this.#endRow();
    else if (name === 'table:table' && --this.#tables === 0) this.#endSheet();
  }

  #beginSheet(attributes: Attributes): void {
    this.#sheet = new SheetText(this.#left);
    this.#name = attributes['table:name'] ?? '';
    this.#hidden = this.#hiddenStyles.has(attributes['table:style-name'] ?? '');
  }

  /** Cells covered by a merged cell are not visible. */
  #endCell(seen: boolean): void {
    const { text, value, repeats } = this.#cell ?? { text: '', value: '', repeats: 1 };
    this.#row.push({ text: seen ? text.trim() || value : '', repeats });
    this.#cell = undefined;
  }

  #endRow(): void {
    const sheet = this.#sheet;
    const filled = this.#row.some(({ text }) => text !== '');
    for (let times = 0; filled && times < this.#rowRepeats && sheet && !sheet.full; times++) {
      let column = 0;
      for (const { text, repeats } of this.#row) {
        const shown = text === '' ? 0 : Math.min(repeats, MAX_CELL_REPEATS);
        for (let i = 0; i < shown; i++) sheet.cell(column + i, text);
        column += repeats;
      }
      sheet.endRow();
    }
    this.#row = [];
  }

  #endSheet(): void {
    const page = this.#sheet!.page(this.#name, this.#hidden);
    this.pages.push(page);
    this.#left -= page.text.length;
    this.#sheet = undefined;
  }
}

/** The value of a cell whose displayed text is missing. */
const valueIn = (attributes: Attributes): string =>
  attributes['office:string-value'] ??
  attributes['office:date-value'] ??
  attributes['office:time-value'] ??
  attributes['office:boolean-value'] ??
  attributes['office:value'] ??
  '';

function repeatsIn(attributes: Attributes, name: string, most: number): number {
  const repeats = Number((Object.hasOwn(attributes, name) ? attributes[name] : undefined) ?? 1);
  return Number.isSafeInteger(repeats) && repeats > 0 ? Math.min(repeats, most) : 1;
}
