import { t } from '../../../i18n/viewer.ts';
import type { DocumentText } from '../document.ts';
import type { DocumentDetail } from '../kinds.ts';
import { DateTag } from './date-tag.tsx';

const MAX_OF_A_KIND = 12;

interface EntitiesProps {
  readonly document: DocumentDetail;
  readonly reading: DocumentText | undefined;
  readonly onFind: (words: string) => void;
}

/** What was found in the document, by kind. A press searches for it in the text; of dates, events can be made. */
export function Entities({ document: shown, reading, onFind }: EntitiesProps) {
  const { viewer } = t();
  const byKind = new Map(Object.entries(shown.enrichment?.entities ?? {}));
  const found = Object.entries(viewer.entities).flatMap(([kind, name]) => {
    const values = valuesIn(byKind.get(kind));
    return values.length === 0 ? [] : [{ kind, name, values }];
  });
  if (found.length === 0) return null;
  return (
    <>
      <h3>{viewer.inDocument}</h3>
      <dl class="facts found-facts">
        {found.map(({ kind, name, values }) => (
          <div key={kind} class="fact">
            <dt>{name}</dt>
            <dd class="found">
              {kind === 'dates' &&
                values.map((value) => (
                  <DateTag
                    key={value}
                    document={shown}
                    reading={reading}
                    value={value}
                    onFind={onFind}
                  />
                ))}
              {kind !== 'dates' &&
                values.map((value) => (
                  <button key={value} type="button" class="tag num" onClick={() => onFind(value)}>
                    <bdi class="cut">{value}</bdi>
                  </button>
                ))}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function valuesIn(values: unknown): readonly string[] {
  if (!Array.isArray(values)) return [];
  const texts = values.map((value: unknown) => {
    if (typeof value === 'string') return value;
    if (typeof value !== 'object' || value === null) return '';
    const { text, value: inner, name } = value as Readonly<Record<string, unknown>>;
    return [text, inner, name].find((each) => typeof each === 'string') ?? '';
  });
  return [...new Set(texts)].filter(Boolean).slice(0, MAX_OF_A_KIND);
}
