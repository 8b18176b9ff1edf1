import { useMemo } from 'preact/hooks';
import { useResource } from '../../../data/resource.ts';
import { viewerText } from '../../../i18n/viewer-text.ts';
import { Failed, Working } from '../../../ui/notice.tsx';
import { t } from '../../../i18n/viewer.ts';
import { DocumentView } from '../document-view.tsx';
import type { DocumentDetail } from '../kinds.ts';
import type { Citation } from '../text/cited-place.ts';
import { createViewState } from '../view-state.ts';
import { readEarlier } from './read-earlier.ts';

interface EarlierProps {
  readonly document: DocumentDetail;
  readonly citation: Citation;
  readonly version: number;
  readonly onBack: () => void;
}

/** The version of which an answer cites words, since they are not in the newest one. */
export default function EarlierVersion({
  document: shown,
  citation,
  version,
  onBack,
}: EarlierProps) {
  const state = useMemo(createViewState, []);
  const old = useMemo(() => ({ ...shown, version }), [shown.id, version]);
  const focusKey = `${version} ${citation.index}`;
  const { data, error, reload } = useResource(`earlier ${shown.id} ${focusKey}`, (signal) =>
    readEarlier(old, citation, signal),
  );
  const text = viewerText();
  return (
    <>
      <div class="note page-note">
        <p class="grow">{text.isEarlier(version)}</p>
        <button type="button" class="act" onClick={() => onBack()}>
          {text.toNewest}
        </button>
      </div>
      {error !== undefined && <Failed error={error} retry={reload} />}
      {!data && error === undefined && <Working>{t().viewer.loadingText}</Working>}
      {data && (
        <DocumentView
          document={old}
          reading={data.reading}
          isTextLoading={false}
          state={state}
          marked={data.marked}
          focusKey={focusKey}
          onCitation={() => undefined}
        />
      )}
    </>
  );
}
