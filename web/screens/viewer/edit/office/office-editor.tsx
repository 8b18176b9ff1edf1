import { useLocation } from 'preact-iso';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { to } from '../../../../app/address.ts';
import { viewerText } from '../../../../i18n/viewer-text.ts';
import { t } from '../../../../i18n/viewer.ts';
import { useActions } from '../../../../keys/action.ts';
import { isReport, type OpenEditor, type Report } from '../../../../office/messages.ts';
import { Working } from '../../../../ui/notice.tsx';
import { Screen } from '../../../../ui/screen.tsx';
import type { DocumentDetail } from '../../kinds.ts';
import { EditHead } from '../edit-head.tsx';
import { useLeaveGuard } from '../leave-guard.ts';
import type { OfficeConfig } from './office-config.ts';
import { VersionNote } from './version-note.tsx';

interface OfficeEditorProps {
  readonly document: DocumentDetail;
  readonly opened: OfficeConfig;
  readonly title: string;
  /** Opens the newest version instead. */
  readonly onAgain: () => void;
}

type Problem = Extract<Report, 'missing' | 'failed' | 'outdated'>;

/** The editor of the document server, in a page of its own policy. Its edits come back as versions. */
export function OfficeEditor({ document: shown, opened, title, onAgain }: OfficeEditorProps) {
  const { route } = useLocation();
  const office = viewerText();
  const frame = useRef<HTMLIFrameElement>(null);
  const openedVersion = useRef(shown.version);
  const [isShown, setShown] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const [edits, setEdits] = useState<'none' | 'unsent' | 'sent'>('none');
  const back = to(`/object/${shown.id}`);
  useLeaveGuard(edits === 'unsent');
  // Before the frame can be ready: its first message comes once.
  useLayoutEffect(() => {
    const message: OpenEditor = {
      type: 'open',
      serverUrl: opened.document_server_url,
      config: opened.config,
      title: office.editor,
    };
    const reactions: Readonly<Record<Report, () => void>> = {
      ready: () => frame.current?.contentWindow?.postMessage(message, location.origin),
      shown: () => setShown(true),
      changed: () => setEdits('unsent'),
      unchanged: () => setEdits((before) => (before === 'none' ? 'none' : 'sent')),
      missing: () => setProblem('missing'),
      failed: () => setProblem('failed'),
      outdated: () => setProblem('outdated'),
      close: () => route(back),
    };
    const receive = ({ source, origin, data }: MessageEvent<unknown>) => {
      const isFromFrame = source === frame.current?.contentWindow && origin === location.origin;
      if (isFromFrame && isReport(data)) reactions[data]();
    };
    addEventListener('message', receive);
    return () => removeEventListener('message', receive);
  }, []);
  useActions(
    useMemo(
      () => [
        {
          id: 'leave-editor',
          group: 'document' as const,
          label: () => t().viewer.actions.back,
          keys: ['Escape'],
          run: () => route(back),
        },
      ],
      [back, route],
    ),
  );
  const isReadOnly = opened.config.editorConfig?.mode === 'view';
  const said = { none: '', unsent: office.unsent, sent: office.whenStored };
  return (
    <Screen
      title={shown.is_hidden ? '' : title}
      head={<EditHead id={shown.id} name={shown.display_name} title={title} status={said[edits]} />}
    >
      {isReadOnly && <p class="note page-note">{office.readOnly}</p>}
      {shown.version > openedVersion.current && (
        <VersionNote id={shown.id} version={shown.version} />
      )}
      {problem && (
        <div class="note bad page-note" role="alert">
          <p class="grow">{office[problem]}</p>
          <button type="button" class="act" onClick={onAgain}>
            {problem === 'outdated' ? office.openAgain : t().shell.tryAgain}
          </button>
        </div>
      )}
      {!isShown && !problem && <Working>{office.opening}</Working>}
      <iframe
        ref={frame}
        class="office-frame"
        title={office.editor}
        src={to('/office-frame')}
        allow="clipboard-read *; clipboard-write *; fullscreen *"
      />
    </Screen>
  );
}
