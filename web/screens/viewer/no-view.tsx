import { formatSize } from '../../i18n/format.ts';
import { t } from '../../i18n/viewer.ts';
import { Icon } from '../../ui/icon.tsx';
import { PageDrawing } from '../../ui/page-drawing.tsx';
import { drawingOf } from '../../ui/drawing-of.ts';
import { downloadContent } from './content.ts';
import type { DocumentDetail } from './kinds.ts';

/** A document of which nothing can be shown here: what it is, and a way to have it. */
export function NoView({
  document: shown,
  reason,
}: {
  document: DocumentDetail;
  /** Instead of what is said of the kind of file. */
  reason?: string | undefined;
}) {
  const { viewer, library } = t();
  const drawing = drawingOf({ kind: shown.kind, doc_type: shown.enrichment?.doc_type ?? 'other' });
  return (
    <div class="scroll desk no-view" tabIndex={0} role="region" aria-label={viewer.document}>
      <div class="no-view-in">
        <PageDrawing name={drawing} />
        <p class="serif">{reason ?? viewer.noPreview}</p>
        <p class="soft num">
          {library.kinds[shown.kind]} · {formatSize(shown.size)} · <bdi>{shown.mime}</bdi>
        </p>
        {shown.size > 0 && (
          <button type="button" class="button strong" onClick={() => void downloadContent(shown)}>
            <Icon name="download" />
            {viewer.download}
          </button>
        )}
      </div>
    </div>
  );
}
