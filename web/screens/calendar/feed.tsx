import { useState } from 'preact/hooks';
import { api } from '../../api/client.ts';
import { ApiError, reply } from '../../api/errors.ts';
import { t } from '../../i18n/calendar.ts';
import { changeLook, lookOf, settings } from '../../state/settings.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Failed } from '../../ui/notice.tsx';
import { toast } from '../../ui/toasts.tsx';
import { useId } from '../../ui/use-id.ts';

/**
 * The secret address of the calendar. The service shows it once, and the app does not store it: only that there is one, so
 * that a second one does not end the first by accident.
 */
export function Feed() {
  const { exchangeText: text } = t().calendar;
  const [url, setUrl] = useState<string>();
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const [asked, setAsked] = useState<'reset' | 'end'>();
  const exists = settings.value !== undefined && lookOf(settings.value).calendar_feed === true;
  const attempt = async (work: () => Promise<void>) => {
    setAsked(undefined);
    setError(undefined);
    setBusy(true);
    try {
      await work();
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  const open = () =>
    attempt(async () => {
      const feed = await reply(api.POST('/v1/calendar/feed'));
      setUrl(feed.url);
      await changeLook({ calendar_feed: true });
    });
  const close = () =>
    attempt(async () => {
      try {
        await reply(api.DELETE('/v1/calendar/feed'));
      } catch (failure) {
        // It was ended elsewhere: that is what was wanted.
        if (!(failure instanceof ApiError) || failure.status !== 404) throw failure;
      }
      setUrl(undefined);
      await changeLook({ calendar_feed: undefined });
      toast(text.ended);
    });
  return (
    <div class="feed">
      {url !== undefined && <Issued url={url} />}
      {url === undefined && exists && <p>{text.exists}</p>}
      <div class="buttons">
        <button
          type="button"
          class={exists ? 'button' : 'button strong'}
          disabled={isBusy}
          onClick={() => (exists ? setAsked('reset') : void open())}
        >
          {exists ? text.reset : text.makeAddress}
        </button>
        {exists && (
          <button
            type="button"
            class="button danger"
            disabled={isBusy}
            onClick={() => setAsked('end')}
          >
            {text.end}
          </button>
        )}
      </div>
      {error !== undefined && <Failed error={error} />}
      {asked && (
        <Sure
          kind={asked}
          onClose={() => setAsked(undefined)}
          onSure={asked === 'reset' ? open : close}
        />
      )}
    </div>
  );
}

/** The address, once. */
function Issued({ url }: { url: string }) {
  const { exchangeText: text } = t().calendar;
  const id = useId();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(url);
      toast(text.copied);
    } catch {
      // The browser refuses it, such as on a page without TLS: the field is selected for the owner.
      toast(text.notCopied);
    }
  };
  return (
    <div class="field">
      <label for={id}>{text.address}</label>
      <div class="inline-form">
        <input
          id={id}
          class="input grow mono"
          type="text"
          readOnly
          value={url}
          onFocus={(event) => event.currentTarget.select()}
        />
        <button type="button" class="button strong" onClick={() => void copy()}>
          {text.copy}
        </button>
      </div>
      <p class="hint" role="status">
        {text.once}
      </p>
    </div>
  );
}

interface SureProps {
  readonly kind: 'reset' | 'end';
  readonly onClose: () => void;
  readonly onSure: () => Promise<void>;
}

/** What subscribes to the address loses it, so that it is asked first. */
function Sure({ kind, onClose, onSure }: SureProps) {
  const { calendar, shell } = t();
  const { exchangeText: text } = calendar;
  return (
    <Dialog
      title={kind === 'reset' ? text.resetTitle : text.endTitle}
      onClose={onClose}
      onSubmit={() => void onSure()}
      foot={
        <>
          <button type="button" class="button" onClick={onClose}>
            {shell.cancel}
          </button>
          <button type="submit" class="button danger">
            {kind === 'reset' ? text.resetSure : text.endSure}
          </button>
        </>
      }
    >
      <p>{text.sureHint}</p>
    </Dialog>
  );
}
