import { settingsText } from '../../../i18n/settings-text.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { toast } from '../../../ui/toasts.tsx';

export interface IssuedProps {
  readonly secret: string;
  readonly onClose: () => void;
}

/** The only time that a token is shown. */
export function Issued({ secret, onClose }: IssuedProps) {
  const text = settingsText();
  const copy = async () => {
    await navigator.clipboard.writeText(secret);
    toast(text.copied);
  };
  return (
    <Dialog
      title={text.tokens}
      wide
      onClose={onClose}
      onSubmit={onClose}
      foot={
        <>
          <button type="button" class="button" onClick={() => void copy()}>
            {text.copy}
          </button>
          <button type="submit" class="button strong">
            {text.done}
          </button>
        </>
      }
    >
      <p>{text.shownOnce}</p>
      <p class="secret mono">{secret}</p>
    </Dialog>
  );
}
