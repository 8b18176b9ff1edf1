import { useState } from 'preact/hooks';
import { formatSize } from '../../i18n/format.ts';
import { t } from '../../i18n/shares.ts';
import { Icon } from '../../ui/icon.tsx';
import { PageDrawing } from '../../ui/page-drawing.tsx';
import { useId } from '../../ui/use-id.ts';
import type { SharedContents, SharedItem, Warning } from './share-data.ts';

/** Files that are named before all are wanted. */
const FIRST_NAMED = 5;

export interface VisitorViewProps {
  readonly contents: SharedContents;
  /** What the owner is about to change of it. */
  readonly name: string;
  readonly hasPassword: boolean;
  readonly mayAdd: boolean;
  readonly warnings?: readonly Warning[];
  /** Takes a document out of the folder. */
  readonly onTakeOut?: (item: SharedItem) => void;
}

/** What a visitor sees of a link, in a frame. */
export function VisitorView(props: VisitorViewProps) {
  const { contents, name, hasPassword, mayAdd, warnings = [] } = props;
  const { shares } = t();
  const id = useId();
  const [isWhole, setWhole] = useState(false);
  const { items, total, resource_name: resource } = contents;
  const types = new Map(
    warnings.flatMap(({ doc_type: type, items: warned }) =>
      warned.map((item) => [item.id, type] as const),
    ),
  );
  const known = withWarned(items, warnings);
  const named = known.filter((item, index) => isWhole || index < FIRST_NAMED || types.has(item.id));
  const more = known.length - named.length;
  const unnamed = total - known.length;
  return (
    <div class="field">
      <p class="label" id={id}>
        {shares.visitorSees}
      </p>
      <div class="glass" role="group" aria-labelledby={id}>
        <div class="glass-bar">
          <Icon name={hasPassword ? 'lock' : 'globe'} small />
          <span>{hasPassword ? shares.afterPassword : shares.withoutPassword}</span>
        </div>
        <div class="glass-in">
          <b>
            <bdi>{name || resource}</bdi>
          </b>
          <p class="soft num">{summaryOf(contents)}</p>
          <ul>
            {named.map((item) => (
              <FileLine
                key={item.id}
                item={item}
                type={types.get(item.id)}
                onTakeOut={contents.kind === 'folder' ? props.onTakeOut : undefined}
              />
            ))}
          </ul>
          {more > 0 && (
            <button type="button" class="act more-files num" onClick={() => setWhole(true)}>
              {shares.showMore(more)}
            </button>
          )}
          {unnamed > 0 && <p class="soft num more-files">{shares.andMore(unnamed)}</p>}
          {mayAdd && (
            <p class="more-files glass-add">
              <Icon name="upload" small />
              {shares.visitorAdds}
            </p>
          )}
        </div>
      </div>
    </div>
  );
}

/** The files in their order. Warned ones that are older than what was loaded come last, as they do for the visitor. */
function withWarned(
  items: readonly SharedItem[],
  warnings: readonly Warning[],
): readonly SharedItem[] {
  const warned = warnings.flatMap((warning) => warning.items);
  return [...new Map([...items, ...warned].map((item) => [item.id, item])).values()];
}

function summaryOf({ items, total, kind }: SharedContents): string {
  const { shares } = t();
  if (total === 0) return shares.noFiles;
  const bytes = items.reduce((sum, { size }) => sum + size, 0);
  const facts = [shares.files(total)];
  // Sizes of files beyond the first page are not known.
  if (items.length === total) facts.push(formatSize(bytes));
  if (kind === 'folder' && total > 1) facts.push(shares.newestFirst);
  return facts.join(', ');
}

interface FileLineProps {
  readonly item: SharedItem;
  readonly type: Warning['doc_type'] | undefined;
  readonly onTakeOut: ((item: SharedItem) => void) | undefined;
}

function FileLine({ item, type, onTakeOut }: FileLineProps) {
  const { library, shares } = t();
  const isWarned = type !== undefined;
  return (
    <li class={isWarned ? 'warned' : undefined}>
      <PageDrawing name={drawingOf(item.mime, type)} />
      <span class="glass-name">
        <bdi class="cut">{item.filename}</bdi>
        {isWarned && <span class="state wait">{library.docTypes[type]}</span>}
      </span>
      {isWarned && onTakeOut ? (
        <button
          type="button"
          class="act"
          aria-label={`${shares.takeOut}: ${item.filename}`}
          onClick={() => onTakeOut(item)}
        >
          {shares.takeOut}
        </button>
      ) : (
        <span class="soft num">{formatSize(item.size)}</span>
      )}
    </li>
  );
}

type Drawing = Parameters<typeof PageDrawing>[0]['name'];

function drawingOf(mime: string, type: Warning['doc_type'] | undefined): Drawing {
  if (type === 'id_document') return 'passport';
  if (type === 'tax' || type === 'bank_statement') return 'invoice';
  if (mime.startsWith('image/')) return 'scan';
  if (mime === 'message/rfc822') return 'mail';
  if (/sheet|excel|csv/.test(mime)) return 'sheet';
  if (/presentation|powerpoint/.test(mime)) return 'report';
  return 'text';
}
