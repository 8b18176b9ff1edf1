import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { api } from '../../api/client.ts';
import { reply } from '../../api/errors.ts';
import type { components } from '../../api/schema.js';
import { to } from '../../app/address.ts';
import type { ObjectItem } from '../../data/object-list.ts';
import { useResource } from '../../data/resource.ts';
import { formatDay, formatSize } from '../../i18n/format.ts';
import { t } from '../../i18n/language.ts';
import { Icon } from '../../ui/icon.tsx';
import { Failed } from '../../ui/notice.tsx';
import { Thumbnail } from '../../ui/thumbnail.tsx';
import { askAboutDocuments } from './ask-about-documents.ts';
import { changeDocuments } from './changes.ts';
import { Line } from './row-line.tsx';
import { typeName } from './facts.ts';
import type { ListModel } from './list-model.ts';
import { isPreviewOpen } from './preview-state.ts';

type Detail = components['schemas']['ObjectDetail'];

/** The current document beside the list. What the row knows is there at once. */
export function PreviewPanel({ model }: { model: ListModel }) {
  const { library, shell } = t();
  const { value: cursor = 0 } = model.cursor;
  // By its place in the list: a document that left the list is never shown on.
  const place = useRested(model.cursor.value);
  const item = place === undefined ? undefined : model.list.state.value.rows.get(place);
  const step = (by: number) => () => model.setCursor(Math.max(0, cursor + by));
  return (
    <aside class="panel preview" aria-label={library.preview}>
      <div class="panel-bar">
        <h2 class="grow">{library.preview}</h2>
        <button
          type="button"
          class="tool small"
          aria-label={library.actions.previous}
          disabled={cursor === 0}
          onClick={step(-1)}
        >
          <Icon name="up" small />
        </button>
        <button
          type="button"
          class="tool small"
          aria-label={library.actions.next}
          disabled={cursor >= model.total.value - 1}
          onClick={step(1)}
        >
          <Icon name="down" small />
        </button>
        <button
          type="button"
          class="tool small"
          aria-label={shell.close}
          onClick={() => void (isPreviewOpen.value = false)}
        >
          <Icon name="x" small />
        </button>
      </div>
      {item ? (
        <Preview key={item.id} model={model} item={item} />
      ) : (
        <p class="panel-in soft">{library.chooseOne}</p>
      )}
    </aside>
  );
}

/** While the cursor moves quickly, the document beside the list does not follow each of its steps. */
const REST_MS = 60;

/** The place of the cursor when it rests. The first place and none at all are shown at once. */
function useRested(cursor: number | undefined): number | undefined {
  const [rested, setRested] = useState(cursor);
  const isFirst = rested === undefined || cursor === undefined;
  useEffect(() => {
    if (isFirst) return setRested(cursor);
    const timer = setTimeout(() => setRested(cursor), REST_MS);
    return () => clearTimeout(timer);
  }, [cursor, isFirst]);
  return isFirst ? cursor : rested;
}

function Preview({ model, item }: { model: ListModel; item: ObjectItem }) {
  const { library } = t();
  const { route } = useLocation();
  const { data, error, reload } = useResource(
    `${item.id} ${item.version} ${item.status} ${item.display_name}`,
    (signal) =>
      reply(
        api.GET('/v1/objects/{object_id}', { params: { path: { object_id: item.id } }, signal }),
      ),
  );
  return (
    <div
      class="scroll"
      tabIndex={0}
      role="region"
      aria-label={library.previewOf(item.display_name)}
    >
      <div class="panel-in">
        <div class="preview-page">
          <Thumbnail item={item} size={512} />
        </div>
        <h3 class="doc-title">
          <bdi>{item.display_name}</bdi>
        </h3>
        <p class="soft num">
          {library.facts(
            typeName(item),
            formatSize(item.size),
            formatDay(item.deleted_at ?? item.created_at),
            item.deleted_at !== null,
          )}
        </p>
        <div class="buttons" id="preview-actions">
          <a
            class="button strong"
            href={to(`/object/${item.id}`)}
            onClick={(event) => {
              if (event.ctrlKey || event.metaKey) return;
              event.preventDefault();
              event.stopPropagation();
              model.open(item);
            }}
          >
            {library.open} <kbd aria-hidden="true">o</kbd>
          </a>
          {item.deleted_at === null ? (
            <button type="button" class="button" onClick={() => askAboutDocuments(model, route)}>
              <Icon name="ask" />
              {library.askAboutIt}
            </button>
          ) : (
            <button
              type="button"
              class="button"
              onClick={() => void changeDocuments(model, { ids: [item.id] }, { action: 'restore' })}
            >
              <Icon name="undo" />
              {library.restore}
            </button>
          )}
        </div>
        {item.is_hidden && (
          <div class="buttons">
            <button
              type="button"
              class="button"
              onClick={() => void changeDocuments(model, { ids: [item.id] }, { action: 'unhide' })}
            >
              <Icon name="eye" />
              {t().hidden.showAgain}
            </button>
            <div class="note plain">
              <Icon name="info" />
              <p>{t().hidden.rests}</p>
            </div>
          </div>
        )}
        {error !== undefined && <Failed error={error} retry={reload} />}
        {item.status !== 'ready' && item.deleted_at === null && (
          <p class="preview-state row">
            <Line item={item} />
          </p>
        )}
        {data && <Reading detail={data} />}
      </div>
    </div>
  );
}

/** What was read of the document. */
function Reading({ detail }: { detail: Detail }) {
  const { library } = t();
  const { enrichment, error, suggested_reason: reason, categories } = detail;
  const summary = enrichment?.summary ?? '';
  const found = valuesOf(enrichment?.entities ?? {});
  return (
    <>
      {error !== null && <p class="soft">{error}</p>}
      {reason !== null && <p class="soft">{reason}</p>}
      {summary && (
        <>
          <h3>{library.summary}</h3>
          <p dir="auto" lang={enrichment?.language || undefined}>
            {summary}
          </p>
        </>
      )}
      {found.length > 0 && (
        <>
          <h3>{library.inIt}</h3>
          <div class="found">
            {found.map((value) => (
              <span key={value} class="tag num">
                <bdi class="cut">{value}</bdi>
              </span>
            ))}
          </div>
        </>
      )}
      {categories.length > 0 && (
        <>
          <h3>{library.labels}</h3>
          <div class="found">
            {categories.map((label) => (
              <span key={label} class="tag">
                <bdi class="cut">{label}</bdi>
              </span>
            ))}
          </div>
        </>
      )}
    </>
  );
}

const MAX_VALUES = 12;

/** Names, dates and amounts, each once: amounts as they are written. */
function valuesOf(entities: Readonly<Record<string, unknown>>): readonly string[] {
  const texts = Object.values(entities)
    .flatMap((value): unknown[] => (Array.isArray(value) ? value : [value]))
    .flatMap((value) => {
      if (typeof value === 'string') return [value];
      if (typeof value === 'object' && value !== null)
        return Object.values(value as Record<string, unknown>)
          .filter((part) => typeof part === 'string' || typeof part === 'number')
          .join(' ');
      return [];
    });
  return [...new Set(texts.filter(Boolean))].slice(0, MAX_VALUES);
}
