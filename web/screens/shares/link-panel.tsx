import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../../api/errors.ts';
import { to } from '../../app/address.ts';
import { noteChange } from '../../data/live.ts';
import { useResource } from '../../data/resource.ts';
import { formatMoment, formatNumber, formatSize } from '../../i18n/format.ts';
import { isolated } from '../../i18n/isolated.ts';
import { t } from '../../i18n/shares.ts';
import { asChange, recordChange } from '../../state/undo.ts';
import { Icon } from '../../ui/icon.tsx';
import { Working } from '../../ui/notice.tsx';
import { toast } from '../../ui/toasts.tsx';
import { LinkFields } from './link-fields.tsx';
import { SharePanel, focusWrong } from './panel.tsx';
import { Refusal } from './refusal.tsx';
import {
  isConcealed,
  isShown,
  nameOf,
  readContents,
  readShare,
  type SharedContents,
  type ShareLink,
} from './share-data.ts';
import { endOf, stateOf } from './share-states.ts';
import {
  editOf,
  editShare,
  inverseOf,
  rebase,
  refusedFields,
  termsOf,
  wrongFields,
  type Edit,
  type TermField,
} from './terms.ts';
import { VisitorView } from './visitor-view.tsx';

export interface LinkPanelProps {
  readonly id: string;
  readonly onEnd: (share: ShareLink) => void;
  readonly onClose: () => void;
}

interface Shown {
  readonly share: ShareLink;
  /** Undefined while visitors see nothing. */
  readonly contents: SharedContents | undefined;
}

/** One link: its state, what visitors see now, and what can be changed. */
export function LinkPanel({ id, onEnd, onClose }: LinkPanelProps) {
  const { shares } = t();
  const { data, error, isLoading, reload } = useResource(
    `share ${id}`,
    async (signal): Promise<Shown> => {
      const share = await readShare(id, signal);
      return { share, contents: isShown(share) ? await readContents(id, signal) : undefined };
    },
    ['shares', 'objects', 'folders'],
  );
  // What has been typed stays while the service can not be reached.
  const isGone = error instanceof ApiError && error.status === 404;
  if (data && !isGone)
    return (
      <Loaded
        key={id}
        {...data}
        loadError={error}
        reload={reload}
        onEnd={() => onEnd(data.share)}
        onClose={onClose}
      />
    );
  return (
    <SharePanel title={shares.link} close={shares.close} onClose={onClose}>
      <Refusal error={error} retry={reload} />
      {isLoading && (
        <div class="late">
          <Working>{t().shell.loading}</Working>
        </div>
      )}
    </SharePanel>
  );
}

interface LoadedProps extends Shown {
  readonly loadError: unknown;
  readonly reload: () => void;
  readonly onEnd: () => void;
  readonly onClose: () => void;
}

function Loaded({ share, contents, loadError, reload, onEnd, onClose }: LoadedProps) {
  const { shares } = t();
  const [terms, setTerms] = useState(() => termsOf(share));
  const [wrong, setWrong] = useState<readonly TermField[]>([]);
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const before = useRef(terms);
  useEffect(() => {
    const after = termsOf(share);
    setTerms((chosen) => rebase(chosen, before.current, after));
    before.current = after;
  }, [share]);
  const edit = editOf(share, terms);
  const isChanged = Object.keys(edit).length > 0;
  const refuse = (fields: readonly TermField[]) => {
    setWrong(fields);
    if (fields.length > 0) focusWrong();
  };
  const save = async () => {
    if (isBusy || !isChanged) return;
    setError(undefined);
    const wrongNow = wrongFields(terms);
    refuse(wrongNow);
    if (wrongNow.length > 0) return;
    setBusy(true);
    try {
      setTerms(termsOf(await change(share, edit)));
    } catch (cause) {
      const fields = refusedFields(cause);
      refuse(fields);
      if (fields.length === 0) setError(cause);
    } finally {
      setBusy(false);
    }
  };
  const hasPassword = terms.password !== '' || (share.has_password && !terms.dropsPassword);
  return (
    <SharePanel
      title={shares.link}
      subject={nameOf(share)}
      close={shares.close}
      onClose={onClose}
      onSubmit={() => void save()}
      foot={
        <>
          <button type="button" class="button plain danger" onClick={onEnd}>
            {shares.end}
          </button>
          <span class="grow" />
          <button type="submit" class="button strong" disabled={isBusy || !isChanged}>
            {share.state === 'expired' ? shares.openAgain : shares.save}
          </button>
        </>
      }
    >
      {loadError !== undefined && <Refusal error={loadError} retry={reload} />}
      <StateNote share={share} />
      <Facts share={share} />
      <LinkFields
        kind={share.kind}
        resource={share.resource_name}
        share={share}
        terms={terms}
        wrong={wrong}
        onChange={(changed) => {
          setTerms(changed);
          setWrong(wrong.filter((field) => wrongFields(changed).includes(field)));
        }}
      />
      {contents && (
        <VisitorView
          contents={contents}
          name={terms.name.trim()}
          hasPassword={hasPassword}
          mayAdd={terms.mayAdd}
        />
      )}
      <Refusal error={error} />
    </SharePanel>
  );
}

/** Why visitors see nothing, and what can be done about it. */
function StateNote({ share }: { share: ShareLink }) {
  const { shares } = t();
  if (isShown(share)) return null;
  const { word, why } = stateOf(share);
  const isTrashed = share.state_reason === 'in_trash';
  return (
    <div class="note warn" role="status">
      <Icon name="alert" />
      <p>
        <b>{why ? `${word}: ${why}.` : `${word}.`}</b>{' '}
        {share.state === 'expired' ? shares.expiredHelp : shares.restsHelp}{' '}
        {isTrashed && (
          <a class="act" href={to(`/object/${share.resource_id}`)}>
            {shares.openDocument}
          </a>
        )}
      </p>
    </div>
  );
}

function Facts({ share }: { share: ShareLink }) {
  const { shares } = t();
  const isContributor = share.role === 'contributor';
  const place = to(`/${share.kind === 'folder' ? 'folder' : 'object'}/${share.resource_id}`);
  return (
    <dl class="facts share-facts num">
      <dt>{shares.kinds[share.kind]}</dt>
      <dd>
        {isConcealed(share) ? (
          <bdi>{share.resource_name}</bdi>
        ) : (
          <a class="act" href={place}>
            <bdi>{share.resource_name}</bdi>
          </a>
        )}
      </dd>
      <dt>{shares.address}</dt>
      <dd class="mono">{share.prefix}…</dd>
      <dt>{shares.madeOn}</dt>
      <dd>{formatMoment(share.created_at)}</dd>
      <dt>{shares.until}</dt>
      <dd>{endOf(share)}</dd>
      <dt>{shares.came}</dt>
      <dd>{shares.visits(share.access_count)}</dd>
      {(isContributor || share.upload_count > 0) && (
        <>
          <dt>{shares.cameIn}</dt>
          <dd>
            {shares.ofFiles(formatNumber(share.upload_count), formatNumber(share.max_upload_files))}
            <br />
            {shares.ofBytes(formatSize(share.uploaded_bytes), formatSize(share.max_upload_bytes))}
          </dd>
        </>
      )}
    </dl>
  );
}

/** Changes a link, and reports it: with its undo, where it has one. */
const change = (share: ShareLink, edit: Edit): Promise<ShareLink> =>
  asChange(makeChange(share, edit));

async function makeChange(share: ShareLink, edit: Edit): Promise<ShareLink> {
  const apply = async (body: Edit): Promise<ShareLink> => {
    const changed = await editShare(share.id, body);
    noteChange('shares');
    return changed;
  };
  const changed = await apply(edit);
  const label = t().shares.changed(isolated(nameOf(changed)));
  const inverse = inverseOf(share, edit);
  if (inverse === undefined) toast(label);
  else
    recordChange({
      label,
      undo: async () => void (await apply(inverse)),
      redo: async () => void (await apply(edit)),
    });
  return changed;
}
