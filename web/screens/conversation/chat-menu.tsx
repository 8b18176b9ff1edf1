import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import { useMemo, useRef } from 'preact/hooks';
import { to } from '../../app/address.ts';
import { changeChat, deleteChat, type ChatCard, type ChatKind } from '../../data/chats.ts';
import { messageOf } from '../../i18n/errors.ts';
import { t } from '../../i18n/ask.ts';
import { useActions } from '../../keys/action.ts';
import { asChange, recordChange } from '../../state/undo.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu } from '../../ui/menu.tsx';
import { toast } from '../../ui/toasts.tsx';
import { chatActions } from './actions.ts';

type NamedChat = Pick<ChatCard, 'id' | 'title' | 'pinned'>;

interface ChatToolsProps {
  readonly chat: NamedChat;
  readonly kind: ChatKind;
  /** Ends what is being answered, before the conversation is deleted. */
  readonly stop: () => void;
}

const MAX_TITLE_LENGTH = 300;

/** Makes a change at once and offers to undo it. */
async function change(id: string, label: string, to: Changes, from: Changes): Promise<void> {
  const made = changeChat(id, to).then(() =>
    recordChange({ label, undo: () => changeChat(id, from), redo: () => changeChat(id, to) }),
  );
  await asChange(made).catch((error: unknown) => toast(messageOf(error)));
}

type Changes = Parameters<typeof changeChat>[1];

export const togglePin = ({ id, title, pinned }: NamedChat): Promise<void> =>
  change(
    id,
    pinned ? t().ask.unpinned(title) : t().ask.pinned(title),
    { pinned: !pinned },
    { pinned },
  );

/** Pinning, and the menu with the rest. */
export function ChatTools({ chat, kind, stop }: ChatToolsProps) {
  const open = useSignal<'rename' | 'delete' | undefined>(undefined);
  const close = () => (open.value = undefined);
  const { id, title, pinned } = chat;
  useActions(
    useMemo(
      () =>
        chatActions(
          { pinned },
          () => void togglePin({ id, title, pinned }),
          (dialog) => void (open.value = dialog),
        ),
      [id, title, pinned, open],
    ),
  );
  return (
    <>
      <button
        type="button"
        class="tool"
        aria-label={t().ask.pin}
        title={t().ask.pin}
        aria-pressed={chat.pinned}
        onClick={() => void togglePin(chat)}
      >
        <Icon name="pin" />
      </button>
      <Menu button={<Icon name="more" />} label={t().ask.moreOf}>
        <a href={to(`/${kind}`)}>{t().ask.newChat}</a>
        <button type="button" onClick={() => (open.value = 'rename')}>
          {t().ask.rename}
        </button>
        <button type="button" class="danger" onClick={() => (open.value = 'delete')}>
          {t().ask.deleteChat}
        </button>
      </Menu>
      {open.value === 'rename' && <RenameDialog chat={chat} onClose={close} />}
      {open.value === 'delete' && (
        <DeleteDialog chat={chat} kind={kind} stop={stop} onClose={close} />
      )}
    </>
  );
}

interface ChatDialogProps {
  readonly chat: NamedChat;
  readonly onClose: () => void;
}

function RenameDialog({ chat: { id, title }, onClose }: ChatDialogProps) {
  const field = useRef<HTMLInputElement>(null);
  const submit = () => {
    const name = field.current?.value.trim() ?? '';
    if (name === '') return field.current?.focus();
    onClose();
    if (name !== title) void change(id, t().ask.renamed(name), { title: name }, { title });
  };
  return (
    <Dialog
      title={t().ask.rename}
      onClose={onClose}
      onSubmit={submit}
      foot={<Buttons onClose={onClose} label={t().ask.renameDo} />}
    >
      <div class="field">
        <label for="chat-title">{t().ask.title}</label>
        <input
          id="chat-title"
          ref={field}
          class="input"
          dir="auto"
          defaultValue={title}
          required
          maxLength={MAX_TITLE_LENGTH}
        />
      </div>
    </Dialog>
  );
}

/** It can not be undone, so it asks first. */
function DeleteDialog({ chat, kind, stop, onClose }: ChatDialogProps & ChatToolsProps) {
  const { id, title } = chat;
  const { route } = useLocation();
  const error = useSignal<unknown>(undefined);
  const submit = async () => {
    stop();
    try {
      await deleteChat(id);
    } catch (failure) {
      error.value = failure;
      return;
    }
    onClose();
    route(to(`/${kind}`), true);
    toast(t().ask.deleted);
  };
  return (
    <Dialog
      title={t().ask.deleteChat}
      onClose={onClose}
      onSubmit={() => void submit()}
      foot={<Buttons onClose={onClose} label={t().ask.deleteChat} isDanger />}
    >
      <p>
        <bdi>{title}</bdi>
      </p>
      <p>{t().ask.deleteWarning}</p>
      {error.value !== undefined && <p role="alert">{messageOf(error.value)}</p>}
    </Dialog>
  );
}

interface ButtonsProps {
  readonly onClose: () => void;
  readonly label: string;
  readonly isDanger?: true;
}

const Buttons = ({ onClose, label, isDanger }: ButtonsProps) => (
  <>
    <button type="button" class="button" onClick={onClose}>
      {t().shell.cancel}
    </button>
    <button type="submit" class={`button ${isDanger ? 'danger' : 'strong'}`}>
      {label}
    </button>
  </>
);
