import { t } from '../../i18n/shares.ts';
import { Icon } from '../../ui/icon.tsx';
import { lazily } from '../../ui/lazily.tsx';
import { toast } from '../../ui/toasts.tsx';
import { SharePanel } from './panel.tsx';
import { nameOf, type ShareLink } from './share-data.ts';

const QrCode = lazily(() => import('./qr-code.tsx'));

export interface MadeLinkProps {
  readonly share: ShareLink;
  readonly password: string;
  readonly onClose: () => void;
}

/** The address of a new link. It exists in this panel, and nowhere else. */
export function MadeLink({ share, password, onClose }: MadeLinkProps) {
  const { shares } = t();
  const { url } = share;
  const copy = async (text: string) => {
    try {
      await navigator.clipboard.writeText(text);
      toast(shares.copied);
    } catch {
      // The browser has refused it, such as on a page without TLS: the text can be selected.
      toast(shares.notCopied);
    }
  };
  const send = async () => {
    try {
      await navigator.share({ title: nameOf(share), url });
    } catch (cause) {
      // The owner has closed the dialog of the device.
      if (!(cause instanceof DOMException && cause.name === 'AbortError')) toast(shares.notSent);
    }
  };
  const canSend = 'share' in navigator;
  return (
    <SharePanel
      title={shares.made}
      close={shares.done}
      onClose={onClose}
      onSubmit={onClose}
      foot={
        <>
          <span class="soft grow">{shares.shownOnce}</span>
          <button type="submit" class="button">
            {shares.done}
          </button>
        </>
      }
    >
      <div class="field">
        <p class="label" id="made-address">
          {shares.address}
        </p>
        <p class="made-address mono" role="group" aria-labelledby="made-address">
          {url}
        </p>
        <div class="buttons">
          <button type="button" class="button strong" onClick={() => void copy(url)}>
            <Icon name="copy" />
            {shares.copyAddress}
          </button>
          {canSend && (
            <button type="button" class="button" onClick={() => void send()}>
              <Icon name="send" />
              {shares.send}
            </button>
          )}
        </div>
      </div>
      {password && (
        <div class="field">
          <p class="label" id="made-password">
            {shares.password}
          </p>
          <p class="made-address mono" role="group" aria-labelledby="made-password">
            {password}
          </p>
          <button type="button" class="act" onClick={() => void copy(password)}>
            {shares.copyPassword}
          </button>
          <p class="hint">{shares.sendApart}</p>
        </div>
      )}
      <div class="field">
        <QrCode text={url} />
        <p class="hint">{shares.scan}</p>
      </div>
      <div class="note plain">
        <Icon name="info" />
        <p>{shares.madeOnce}</p>
      </div>
    </SharePanel>
  );
}
