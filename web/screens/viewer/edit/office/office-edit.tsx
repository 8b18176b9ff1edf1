import { useState } from 'preact/hooks';
import { useResource } from '../../../../data/resource.ts';
import { viewerText } from '../../../../i18n/viewer-text.ts';
import { t } from '../../../../i18n/viewer.ts';
import { Icon } from '../../../../ui/icon.tsx';
import { Failed, Working } from '../../../../ui/notice.tsx';
import { Screen } from '../../../../ui/screen.tsx';
import { downloadContent } from '../../content.ts';
import type { DocumentText } from '../../document.ts';
import { isTextTable, type DocumentDetail } from '../../kinds.ts';
import { CorrectReading } from '../correct-reading.tsx';
import { EditHead } from '../edit-head.tsx';
import { EditText } from '../edit-text.tsx';
import { readOfficeConfig, type OffReason } from './office-config.ts';
import { OfficeEditor } from './office-editor.tsx';

interface OfficeEditProps {
  readonly document: DocumentDetail;
  readonly reading: DocumentText | undefined;
}

/** The editor of the document server; why it can not be opened, with what can be edited instead. */
export default function OfficeEdit({ document: shown, reading }: OfficeEditProps) {
  const [attempt, setAttempt] = useState(0);
  // Not by version: the editor goes on with the document that it has opened.
  const { data, error, reload } = useResource(`office ${shown.id} ${attempt}`, async (signal) => ({
    ...(await readOfficeConfig(shown.id, signal)),
    attempt,
  }));
  const title = t().viewer.editing(shown.display_name);
  if (data?.enabled)
    return (
      <OfficeEditor
        key={attempt}
        document={shown}
        opened={data}
        title={title}
        onAgain={() => setAttempt(attempt + 1)}
      />
    );
  if (data?.reason)
    return <Instead document={shown} reading={reading} reason={data.reason} retry={reload} />;
  return (
    <Screen
      title={shown.is_hidden ? '' : title}
      head={<EditHead id={shown.id} name={shown.display_name} title={title} />}
    >
      {error === undefined ? (
        <Working>{viewerText().opening}</Working>
      ) : (
        <Failed error={error} retry={reload} />
      )}
    </Screen>
  );
}

interface InsteadProps extends OfficeEditProps {
  readonly reason: OffReason;
  readonly retry: () => void;
}

function Instead({ document: shown, reading, reason, retry }: InsteadProps) {
  const office = viewerText();
  const { viewer, shell } = t();
  const isText = isTextTable(shown);
  const notice = (
    <div class="note page-note">
      <Icon name="alert" />
      <p class="grow">
        {office.off[reason]} {!isText && reading && office.onlyText}
      </p>
      {reason === 'engine_unavailable' && (
        <button type="button" class="act" onClick={retry}>
          {shell.tryAgain}
        </button>
      )}
    </div>
  );
  if (isText) return <EditText document={shown} notice={notice} />;
  if (reading) return <CorrectReading document={shown} reading={reading} notice={notice} />;
  const title = viewer.editing(shown.display_name);
  return (
    <Screen
      title={shown.is_hidden ? '' : title}
      head={<EditHead id={shown.id} name={shown.display_name} title={title} />}
    >
      {notice}
      <div class="empty">
        <p>{office.otherwise}</p>
        <button type="button" class="button" onClick={() => void downloadContent(shown)}>
          {viewer.download}
        </button>
      </div>
    </Screen>
  );
}
