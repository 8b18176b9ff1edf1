import { useEffect, useMemo, useState } from 'preact/hooks';
import { api } from '../../../api/client.ts';
import { reply } from '../../../api/errors.ts';
import { useResource } from '../../../data/resource.ts';
import { t } from '../../../i18n/data.ts';
import { formatSize } from '../../../i18n/format.ts';
import { openZone } from '../../../state/zone.ts';
import { Icon } from '../../../ui/icon.tsx';
import { Working } from '../../../ui/notice.tsx';
import { Refused, useAttempt } from '../attempt.tsx';
import { Setting } from '../setting.tsx';
import { exportWorkspace } from './export-workspace.ts';

/** The whole workspace as one file. */
export function TakeOut() {
  const { dataText: text } = t();
  const attempt = useAttempt();
  const [received, setReceived] = useState(0);
  const [result, setResult] = useState<'started' | 'saved'>();
  const controller = useMemo(() => new AbortController(), []);
  useEffect(() => () => controller.abort(), [controller]);
  const run = () => {
    setReceived(0);
    setResult(undefined);
    void attempt.run(async () => setResult(await exportWorkspace(controller.signal, setReceived)));
  };
  return (
    <Setting title={text.takeOut} hint={text.takeOutHint}>
      <p>{text.contains}</p>
      <p class="soft">{text.withoutSecrets}</p>
      <HiddenPart />
      <Refused error={attempt.error} />
      <div class="buttons">
        <button type="button" class="button" disabled={attempt.isBusy} onClick={run}>
          <Icon name="download" />
          {text.download}
        </button>
        {attempt.isBusy && (
          <Working>{received > 0 ? text.received(formatSize(received)) : text.preparing}</Working>
        )}
        {result && (
          <p class="state good" role="status">
            <Icon name="check" />
            {result === 'started' ? text.started : text.saved}
          </p>
        )}
      </div>
    </Setting>
  );
}

/** Whether hidden documents would be in it. It is the rule, and says nothing of whether there are any. */
function HiddenPart() {
  const { dataText: text } = t();
  const { data } = useResource('pin', (signal) => reply(api.GET('/v1/hidden-pin', { signal })), [
    'settings',
  ]);
  if (!data) return null;
  const rule = !data.configured
    ? text.hiddenWithoutPin
    : openZone.value
      ? text.hiddenOpen
      : text.hiddenLocked;
  return (
    <p class="note plain">
      <Icon name="eyeoff" />
      {rule}
    </p>
  );
}
