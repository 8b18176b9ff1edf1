import { useEffect, useState } from 'preact/hooks';
import { t } from '../../../i18n/viewer.ts';
import type { DocumentDetail } from '../kinds.ts';
import { Run } from './run.tsx';
import type { TextRange } from './range.ts';

export type Rows = readonly (readonly TextRange[])[];

const MAX_TABLE_LENGTH = 2_000_000;
const STEP = 200;
const MAX_ONE_LINE = 24;

/** The rows of a table, as ranges of its text. Undefined if the document is none. */
export function tableOf(
  { kind, mime }: Pick<DocumentDetail, 'kind' | 'mime'>,
  text: string,
): Rows | undefined {
  if (kind !== 'spreadsheet' || text.length > MAX_TABLE_LENGTH) return undefined;
  const first = text.slice(0, 4_000);
  const separator = ['\t', ';', ','].find((each) => first.includes(each));
  if (separator === undefined) return undefined;
  const isQuoted = mime.startsWith('text/');
  return isQuoted || separator === '\t' ? rowsOf(text, separator, isQuoted) : undefined;
}

function rowsOf(text: string, separator: string, isQuoted: boolean): Rows {
  const rows: TextRange[][] = [];
  let row: TextRange[] = [];
  for (let at = 0; at <= text.length;) {
    const start = at;
    const opens = isQuoted && text[at] === '"';
    if (opens) at = closingQuote(text, at + 1) + 1;
    while (at < text.length && text[at] !== separator && text[at] !== '\n') at++;
    const end = text[at - 1] === '\r' && at > start ? at - 1 : at;
    row.push(opens ? { start: start + 1, end: Math.max(start + 1, end - 1) } : { start, end });
    if (at >= text.length || text[at] === '\n') {
      if (row.length > 1 || (row[0] && row[0].end > row[0].start)) rows.push(row);
      row = [];
    }
    at++;
  }
  return rows;
}

/** Where the closing quote is; doubled quotes are part of the cell. */
function closingQuote(text: string, from: number): number {
  for (let at = from; at < text.length; at++)
    if (text[at] === '"') {
      if (text[at + 1] !== '"') return at;
      at++;
    }
  return text.length;
}

/** Dates, numbers and names stay on one line. A narrow screen scrolls the table instead. */
const isShort = ({ start, end }: TextRange): boolean => end - start <= MAX_ONE_LINE;

/** Rows around a place, in steps. The first row is the head. */
export function Table({ rows, around }: { rows: Rows; around: number }) {
  const [shown, setShown] = useState(STEP);
  const row = rows.findIndex((cells) => (cells.at(-1)?.end ?? 0) > around);
  useEffect(() => {
    if (row >= shown) setShown(row + STEP);
  }, [row, shown]);
  const [head, ...body] = rows.slice(0, Math.max(shown, row + 1));
  return (
    <>
      <div class="table-scroll" tabIndex={0} role="region" aria-label={t().viewer.table}>
        <table>
          <thead>
            <tr>
              {head?.map((cell) => (
                <th
                  key={cell.start}
                  scope="col"
                  dir="auto"
                  class={isShort(cell) ? 'one-line' : undefined}
                >
                  <Run {...cell} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {body.map((cells) => (
              <tr key={cells[0]?.start}>
                {cells.map((cell) => (
                  <td key={cell.start} dir="auto" class={isShort(cell) ? 'one-line' : undefined}>
                    <Run {...cell} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {shown < rows.length && (
        <button type="button" class="button small" onClick={() => setShown(shown + STEP)}>
          {t().viewer.later}
        </button>
      )}
    </>
  );
}
