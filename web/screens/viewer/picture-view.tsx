import { useEffect, useRef, useState } from 'preact/hooks';
import { SERVICE } from '../../app/address.ts';
import { t } from '../../i18n/viewer.ts';
import { useContentAddress } from './blob-address.ts';
import { Boxes } from './boxes.tsx';
import { isShownByBrowsers, type DocumentDetail } from './kinds.ts';
import type { Box } from './places.ts';
import { NoView } from './no-view.tsx';
import type { ViewState } from './view-state.ts';

interface PictureViewProps {
  readonly document: DocumentDetail;
  readonly state: ViewState;
  readonly boxes: readonly Box[];
  readonly focusKey: string;
}

/** A picture, fitted to the view or larger. Formats that browsers do not show are shown by their thumbnail. */
export function PictureView({ document: shown, state, boxes, focusKey }: PictureViewProps) {
  const address = useContentAddress(shown);
  const isShown = isShownByBrowsers(shown);
  const ref = useRef<HTMLDivElement>(null);
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => setFailed(false), [shown.id, shown.version]);
  useEffect(() => {
    const box = ref.current?.querySelector<HTMLElement>('.word-box');
    box?.scrollIntoView({ block: 'center', inline: 'center' });
    box?.focus({ preventScroll: true });
  }, [focusKey, boxes]);
  if (hasFailed || address === '') return <NoView document={shown} />;
  const thumbnail = `${SERVICE}/v1/objects/${shown.id}/thumbnail?size=512&v=${shown.version}`;
  const source = isShown || shown.is_hidden ? address : thumbnail;
  const zoom = state.zoom.value;
  return (
    <div
      class="scroll desk picture-desk"
      tabIndex={0}
      role="region"
      aria-label={t().viewer.picture}
    >
      <div
        ref={ref}
        class={`picture-frame${zoom === 1 ? ' fit' : ''}`}
        style={zoom === 1 ? {} : { inlineSize: `${zoom * 100}%` }}
      >
        {source && (
          <img
            src={source}
            alt={shown.enrichment?.description || shown.display_name}
            draggable={false}
            onError={() => setFailed(true)}
          />
        )}
        <Boxes boxes={boxes} />
      </div>
    </div>
  );
}
