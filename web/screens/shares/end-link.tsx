import { useState } from 'preact/hooks';
import { noteChange } from '../../data/live.ts';
import { isolated } from '../../i18n/isolated.ts';
import { t } from '../../i18n/shares.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toasts.tsx';
import { Refusal } from './refusal.tsx';
import { endShare, nameOf, type ShareLink } from './share-data.ts';

export interface EndLinkProps {
  readonly share: ShareLink;
  readonly onEnded: () => void;
  readonly onClose: () => void;
}

/** Ends a link for good, after a question: it can not be taken back. */
export function EndLink({ share, onEnded, onClose }: EndLinkProps) {
  const { shares, shell } = t();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const end = async () => {
    setBusy(true);
    setError(undefined);
    try {
      await endShare(share.id);
      toast(shares.ended(isolated(nameOf(share))));
      onClose();
      onEnded();
      noteChange('shares');
    } catch (cause) {
      setError(cause);
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={shares.endTitle(isolated(nameOf(share)))}
      onClose={onClose}
      onSubmit={() => void end()}
      foot={
        <>
          <button type="button" class="button" onClick={onClose}>
            {shell.cancel}
          </button>
          <button type="submit" class="button danger" disabled={isBusy}>
            {shares.end}
          </button>
        </>
      }
    >
      <p>{shares.endWhy}</p>
      {share.upload_count > 0 && <p>{shares.filesStay(share.upload_count)}</p>}
      <Refusal error={error} />
    </Dialog>
  );
}
