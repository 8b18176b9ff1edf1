import { isUnreadable } from '../../../data/unreadable.ts';
import { t } from '../../../i18n/viewer.ts';
import { Icon } from '../../../ui/icon.tsx';
import type { Commands } from '../commands.ts';
import type { DocumentText } from '../document.ts';
import type { DocumentDetail } from '../kinds.ts';
import { Entities } from './entities.tsx';
import { Filed } from './filed.tsx';
import { Suggestion } from './suggestion.tsx';
import { Versions } from './versions.tsx';

interface DetailsProps {
  readonly document: DocumentDetail;
  readonly reading: DocumentText | undefined;
  readonly commands: Commands;
  readonly onFind: (words: string) => void;
  readonly onClose: () => void;
}

/** What is known of the document, beside it; on a phone over it. */
export function DetailsPanel({
  document: shown,
  reading,
  commands,
  onFind,
  onClose,
}: DetailsProps) {
  const { viewer } = t();
  const { enrichment } = shown;
  const summary = enrichment?.summary ?? '';
  const isTrashed = shown.deleted_at !== null;
  const isBeingRead = shown.status === 'pending' || shown.status === 'processing';
  const { notRead, noSummary, noText } = viewer;
  const why = isUnreadable(shown) ? notRead : shown.text_view ? noSummary : noText;
  const hasNoText = shown.status === 'ready' && why === noText;
  return (
    <aside class="panel details" aria-label={viewer.details}>
      <div class="panel-bar">
        <h2 class="grow">{viewer.details}</h2>
        <button type="button" class="tool small" aria-label={viewer.closeDetails} onClick={onClose}>
          <Icon name="x" small />
        </button>
      </div>
      <div class="scroll" tabIndex={0} role="region" aria-label={viewer.detailsOf}>
        <div class="panel-in">
          {!isTrashed && <Suggestion document={shown} commands={commands} />}
          <h3>{viewer.summary}</h3>
          {summary ? (
            <p dir="auto" lang={enrichment?.language || undefined}>
              {summary}
            </p>
          ) : (
            <p class="soft">
              {isBeingRead ? viewer.beingRead : why}{' '}
              {hasNoText && !isTrashed && (
                <button type="button" class="act" onClick={commands.readAgain}>
                  {viewer.readAgain}
                </button>
              )}
            </p>
          )}
          <Entities document={shown} reading={reading} onFind={onFind} />
          <Filed document={shown} reading={reading} commands={commands} />
          <Versions document={shown} commands={commands} />
        </div>
      </div>
    </aside>
  );
}
