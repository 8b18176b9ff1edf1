import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { t } from '../../../i18n/viewer.ts';
import { inline } from './inline.tsx';
import { noteBlocks, type NoteBlock } from './markdown-blocks.ts';
import { Run } from './run.tsx';
import type { TextRange } from './range.ts';

const STEP = 1_000;

/** A note, rendered to elements by hand: no markup of it reaches the page. */
export function Markdown({ text }: { text: string }) {
  const blocks = useMemo(() => noteBlocks(text), [text]);
  const [shown, setShown] = useState(STEP);
  return (
    <div class="note-text">
      {blocks.slice(0, shown).map((block, index) => (
        <Rendered key={index} text={text} block={block} />
      ))}
      {shown < blocks.length && (
        <button type="button" class="button small" onClick={() => setShown(shown + STEP)}>
          {t().viewer.later}
        </button>
      )}
    </div>
  );
}

const lined = (text: string, lines: readonly TextRange[]): ComponentChildren =>
  lines.flatMap((line, index) => (index === 0 ? [inline(text, line)] : [' ', inline(text, line)]));

function Rendered({ text, block }: { text: string; block: NoteBlock }) {
  switch (block.type) {
    case 'heading': {
      const Heading = (['h2', 'h3', 'h4', 'h5', 'h6', 'h6'] as const)[block.level - 1] ?? 'h6';
      return <Heading dir="auto">{lined(text, block.lines)}</Heading>;
    }
    case 'code':
      return (
        <pre tabIndex={0}>
          {block.lines.flatMap((line) => [<Run key={line.start} {...line} />, '\n'])}
        </pre>
      );
    case 'quote':
      return <blockquote dir="auto">{lined(text, block.lines)}</blockquote>;
    case 'rule':
      return <hr />;
    case 'list':
      return <List text={text} block={block} />;
    case 'table':
      return <NoteTable text={text} rows={block.rows} />;
    default:
      return <p dir="auto">{lined(text, block.lines)}</p>;
  }
}

function List({ text, block }: { text: string; block: NoteBlock & { type: 'list' } }) {
  const items = block.items.map(({ depth, isDone, lines }, index) => (
    <li key={index} dir="auto" class={`depth-${depth}`}>
      {isDone !== undefined && (
        <input
          type="checkbox"
          disabled
          checked={isDone}
          aria-label={isDone ? t().viewer.taskDone : t().viewer.taskOpen}
        />
      )}
      {lined(text, lines)}
    </li>
  ));
  return block.ordered ? <ol>{items}</ol> : <ul>{items}</ul>;
}

const NoteTable = ({
  text,
  rows: [head, ...rows],
}: {
  text: string;
  rows: readonly (readonly TextRange[])[];
}) => (
  <div class="table-scroll" tabIndex={0} role="region" aria-label={t().viewer.table}>
    <table>
      <thead>
        <tr>
          {head?.map((cell) => (
            <th key={cell.start} scope="col" dir="auto">
              {inline(text, cell)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={index}>
            {row.map((cell) => (
              <td key={cell.start} dir="auto">
                {inline(text, cell)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
