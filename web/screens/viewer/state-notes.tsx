import { isUnreadable } from '../../data/unreadable.ts';
import { t } from '../../i18n/viewer.ts';
import { Icon } from '../../ui/icon.tsx';
import { Working } from '../../ui/notice.tsx';
import { UnreadReason } from '../../ui/unread-reason.tsx';
import { failure, type Commands } from './commands.ts';
import type { DocumentDetail } from './kinds.ts';

/** What is so with the document: in the trash, being read, not readable; and why a change failed. */
export function StateNotes({
  document: shown,
  commands,
}: {
  document: DocumentDetail;
  commands: Commands;
}) {
  const { viewer, shell } = t();
  return (
    <>
      {failure.value !== undefined && (
        <div class="note bad page-note" role="alert">
          <Icon name="alert" />
          <p class="grow">{failure.value}</p>
          <button type="button" class="act" onClick={() => void (failure.value = undefined)}>
            {shell.dismiss}
          </button>
        </div>
      )}
      {shown.deleted_at !== null && (
        <div class="note page-note">
          <Icon name="trash" />
          <p class="grow">{viewer.inTrash}</p>
          <button type="button" class="act" onClick={commands.restore}>
            {viewer.restore}
          </button>
        </div>
      )}
      {shown.deleted_at === null && isUnreadable(shown) && (
        <div class="note bad page-note">
          <Icon name="alert" />
          <p class="grow">
            {viewer.notRead} <UnreadReason of={shown} />{' '}
            {shown.error_code === 'password_protected' && viewer.whatToDo}
          </p>
          <button type="button" class="act" onClick={commands.readAgain}>
            {viewer.readAgain}
          </button>
        </div>
      )}
      {(shown.status === 'pending' || shown.status === 'processing') && (
        <div class="note page-note">
          <Working>{viewer.beingRead}</Working>
        </div>
      )}
    </>
  );
}
