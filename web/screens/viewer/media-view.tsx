import { useState } from 'preact/hooks';
import { t } from '../../i18n/viewer.ts';
import { useContentAddress } from './blob-address.ts';
import type { DocumentDetail } from './kinds.ts';
import { NoView } from './no-view.tsx';

/** Sound and film in the browser's own player, which loads the ranges it plays. */
export function MediaView({ document: shown }: { document: DocumentDetail }) {
  const address = useContentAddress(shown);
  const [hasFailed, setFailed] = useState(false);
  if (hasFailed || address === '') return <NoView document={shown} />;
  const player = {
    src: address,
    controls: true,
    preload: 'metadata' as const,
    'aria-label': shown.display_name,
    onError: () => setFailed(true),
  };
  return (
    <div class="scroll desk media-desk" tabIndex={0} role="region" aria-label={t().viewer.player}>
      {address &&
        (shown.kind === 'video' ? <video playsinline {...player} /> : <audio {...player} />)}
    </div>
  );
}
