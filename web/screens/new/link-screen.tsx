import { useLocation } from 'preact-iso';
import { useContext, useMemo, useState } from 'preact/hooks';
import { api } from '../../api/client.ts';
import { reply } from '../../api/errors.ts';
import { to } from '../../app/address.ts';
import { noteChange } from '../../data/live.ts';
import { t } from '../../i18n/viewer.ts';
import { InZone } from '../../state/in-zone.ts';
import { Failed, Working } from '../../ui/notice.tsx';
import { Screen } from '../../ui/screen.tsx';

/** A link to a page, of which the service reads the text. */
export default function NewLinkScreen() {
  const { viewer } = t();
  const { query, route } = useLocation();
  const isHidden = useContext(InZone);
  const [url, setUrl] = useState('');
  const [title, setTitle] = useState('');
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const key = useMemo(() => crypto.randomUUID(), [url, title]);
  const folder = query['folder'];
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setSending(true);
    setFailure(undefined);
    const address = /^[a-z][a-z0-9+.-]*:/i.test(url.trim()) ? url.trim() : `https://${url.trim()}`;
    try {
      const link = await reply(
        api.POST('/v1/objects/links', {
          params: { header: { 'Idempotency-Key': key } },
          body: {
            url: address,
            ...(title.trim() && { title: title.trim() }),
            ...(folder && { collection_id: folder }),
            ...(isHidden && { is_hidden: true }),
          },
        }),
      );
      noteChange('objects', 'folders');
      route(to(`/object/${link.id}`), true);
    } catch (cause) {
      setFailure(cause);
      setSending(false);
    }
  };
  return (
    <Screen title={viewer.newLink}>
      <form class="form new-link" onSubmit={(event) => void submit(event)}>
        {failure !== undefined && <Failed error={failure} />}
        <div class="field">
          <label for="link-address">{viewer.linkAddress}</label>
          <input
            id="link-address"
            class="input"
            type="text"
            inputmode="url"
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            maxLength={2_083}
            placeholder="https://"
            required
            autofocus
            value={url}
            aria-describedby="link-hint"
            onInput={({ currentTarget }) => setUrl(currentTarget.value)}
          />
          <span id="link-hint" class="hint">
            {viewer.linkHint}
          </span>
        </div>
        <div class="field">
          <label for="link-title">{viewer.linkTitle}</label>
          <input
            id="link-title"
            class="input"
            autocomplete="off"
            maxLength={255}
            dir="auto"
            value={title}
            onInput={({ currentTarget }) => setTitle(currentTarget.value)}
          />
        </div>
        <div class="buttons">
          <button type="submit" class="button strong" disabled={isSending || !url.trim()}>
            {viewer.addLink}
          </button>
          {isSending && <Working>{viewer.readingPage}</Working>}
        </div>
      </form>
    </Screen>
  );
}
