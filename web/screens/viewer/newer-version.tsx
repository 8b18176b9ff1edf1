import { viewerText } from '../../i18n/viewer-text.ts';
import { t } from '../../i18n/viewer.ts';

/** A version was made elsewhere since the document was opened. */
export default function NewerVersion({ version, onShow }: { version: number; onShow: () => void }) {
  return (
    <div class="note page-note">
      <p class="grow" role="status">
        {viewerText().newerVersion(version)}
      </p>
      <button type="button" class="act" onClick={onShow}>
        {t().viewer.show}
      </button>
    </div>
  );
}
