import { t } from '../../../i18n/viewer.ts';
import { Screen } from '../../../ui/screen.tsx';
import { Working } from '../../../ui/notice.tsx';
import { lazily } from '../../../ui/lazily.tsx';
import type { DocumentText } from '../document.ts';
import { isEditable, isOffice, type DocumentDetail } from '../kinds.ts';
import { CorrectReading } from './correct-reading.tsx';
import { EditText } from './edit-text.tsx';

const OfficeEdit = lazily(() => import('./office/office-edit.tsx'));

interface EditScreenProps {
  readonly document: DocumentDetail;
  readonly reading: DocumentText | undefined;
  readonly isLoading: boolean;
  /** The text that was read of the file, also where the file itself has an editor. */
  readonly isReading: boolean;
}

/** The text of the document itself, or the office editor; for other files what was read of them. */
export default function EditScreen(props: EditScreenProps) {
  const { document: shown, reading, isLoading } = props;
  if (isEditable(shown)) return <EditText document={shown} />;
  if (isOffice(shown) && !props.isReading) return <OfficeEdit document={shown} reading={reading} />;
  if (reading) return <CorrectReading document={shown} reading={reading} />;
  const { viewer } = t();
  return (
    <Screen title={viewer.correctTitle(shown.display_name)}>
      {isLoading ? <Working>{viewer.loadingText}</Working> : <p class="note">{viewer.noText}</p>}
    </Screen>
  );
}
