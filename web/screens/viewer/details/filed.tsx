import { to } from '../../../app/address.ts';
import { formatMoment, formatSize } from '../../../i18n/format.ts';
import { t } from '../../../i18n/viewer.ts';
import { openViewerDialog, type Commands } from '../commands.ts';
import type { DocumentText } from '../document.ts';
import { correctPath, isEditable, type DocumentDetail } from '../kinds.ts';
import { OutLink, safeAddress } from '../text/inline.tsx';

interface FiledProps {
  readonly document: DocumentDetail;
  readonly reading: DocumentText | undefined;
  readonly commands: Commands;
}

/** Where the document is, what it is, and how it was read. */
export function Filed({ document: shown, reading, commands }: FiledProps) {
  const { viewer, library } = t();
  const isTrashed = shown.deleted_at !== null;
  const type = shown.enrichment?.doc_type;
  const address = shown.source_url === null ? undefined : safeAddress(shown.source_url);
  return (
    <>
      <h3>{viewer.filed}</h3>
      <dl class="facts">
        <dt>{viewer.folder}</dt>
        <dd>
          <bdi>{shown.collection_name ?? library.inNoFolder}</bdi>{' '}
          {!isTrashed && (
            <button type="button" class="act" onClick={() => openViewerDialog('move')}>
              {library.move}
            </button>
          )}
        </dd>
        <dt>{viewer.type}</dt>
        <dd>{type && type !== 'other' ? library.docTypes[type] : library.kinds[shown.kind]}</dd>
        <dt>{library.labels}</dt>
        <dd>
          <Labels document={shown} commands={commands} />
        </dd>
        {reading && (
          <>
            <dt>{viewer.read}</dt>
            <dd>
              {viewer.sources[reading.source]}
              {reading.language && `, ${languageName(reading.language)}`}{' '}
              {!isTrashed && !isEditable(shown) && (
                <a class="act" href={to(correctPath(shown))}>
                  {viewer.correct}
                </a>
              )}
            </dd>
          </>
        )}
        {address && (
          <>
            <dt>{viewer.address}</dt>
            <dd class="cut">
              <OutLink href={address}>
                <bdi>{address}</bdi>
              </OutLink>
            </dd>
          </>
        )}
        <dt>{viewer.added}</dt>
        <dd class="num">{formatMoment(shown.created_at)}</dd>
        {shown.size > 0 && (
          <>
            <dt>{viewer.file}</dt>
            <dd class="num">
              <bdi>{shown.original_name}</bdi>, {formatSize(shown.size)}
            </dd>
          </>
        )}
      </dl>
    </>
  );
}

function Labels({ document: shown, commands }: { document: DocumentDetail; commands: Commands }) {
  const { viewer } = t();
  const isTrashed = shown.deleted_at !== null;
  return (
    <span class="found">
      {shown.categories.map((label) => (
        <span key={label} class="tag">
          <bdi class="cut">{label}</bdi>
          {!isTrashed && (
            <button
              type="button"
              class="tag-off"
              aria-label={viewer.removeLabel(label)}
              onClick={() => commands.label(shown.categories.filter((each) => each !== label))}
            >
              ×
            </button>
          )}
        </span>
      ))}
      {!isTrashed && (
        <button type="button" class="act" onClick={() => openViewerDialog('label')}>
          {viewer.add}
        </button>
      )}
    </span>
  );
}

/** The name of a language in the language of the app. */
function languageName(code: string): string {
  try {
    const names = new Intl.DisplayNames(document.documentElement.lang, { type: 'language' });
    return names.of(code) ?? code;
  } catch {
    // A code that is no tag of a language is shown as it is.
    return code;
  }
}
