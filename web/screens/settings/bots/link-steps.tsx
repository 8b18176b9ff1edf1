import { t } from '../../../i18n/bots.ts';
import { toast } from '../../../ui/toasts.tsx';
import { useId } from '../../../ui/use-id.ts';

export interface LinkStepsProps {
  readonly username: string;
  readonly code: string;
}

/** How the owner's private chat with a bot becomes the one that reminders go to. */
export function LinkSteps({ username, code }: LinkStepsProps) {
  const { bots } = t();
  const id = useId();
  const message = `/start ${code}`;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(message);
      toast(bots.copied);
    } catch {
      // The browser has refused it, such as on a page without TLS.
      toast(bots.notCopied);
    }
  };
  const chat = `https://t.me/${encodeURIComponent(username)}?start=${encodeURIComponent(code)}`;
  return (
    <section class="note plain link-steps" aria-labelledby={id}>
      <h3 id={id}>{bots.linkTitle}</h3>
      <p>{bots.linkFirst}</p>
      <a class="button" href={chat} target="_blank" rel="noopener noreferrer">
        {bots.openChat}
      </a>
      <p>{bots.linkSecond}</p>
      <p class="inline-form">
        <code class="mono grow">{message}</code>
        <button type="button" class="button small" onClick={() => void copy()}>
          {bots.copyMessage}
        </button>
      </p>
      <p class="soft">{bots.codeOnce}</p>
    </section>
  );
}
