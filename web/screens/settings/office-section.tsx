import { useEffect, useRef, useState } from 'preact/hooks';
import { api } from '../../api/client.ts';
import { reply } from '../../api/errors.ts';
import type { components } from '../../api/schema.js';
import { readHealth } from '../../data/health.ts';
import { useResource } from '../../data/resource.ts';
import { t } from '../../i18n/connections.ts';
import { Icon } from '../../ui/icon.tsx';
import { Failed, Working } from '../../ui/notice.tsx';
import { connectionText } from '../../ui/reason-words.ts';
import { Setting } from './setting.tsx';

type Selftest = components['schemas']['OfficeSelftest'];
type Hop = Selftest['hops'][number];

/** The editor of office files: whether one is connected, and a test of every connection that it needs. */
export default function OfficeSection() {
  const { connections: text } = t();
  const [result, setResult] = useState<Selftest>();
  return (
    <>
      <Setting title={text.officeEditor} hint={text.officeHint}>
        <EditorState tested={result} />
      </Setting>
      <Setting title={text.selftest} hint={text.selftestHint}>
        <SelftestPart result={result} onResult={setResult} />
      </Setting>
    </>
  );
}

/** Whether the document server answers, as the service knew it lately, or as a self-test has just found. */
function EditorState({ tested }: { tested: Selftest | undefined }) {
  const { connections: text, shell } = t();
  const { data, error, isLoading, reload } = useResource('office', async (signal) => {
    const { checks } = await readHealth(signal);
    return checks.find(({ name }) => name === 'office');
  });
  if (error !== undefined) return <Failed error={error} retry={reload} />;
  if (isLoading && !data) return <Working>{shell.loading}</Working>;
  const status = data?.status ?? 'off';
  const works = tested ? tested.ok : status === 'ok';
  if (status === 'off')
    return (
      <div class="note plain">
        <Icon name="info" />
        <div>
          <p>
            <b>{text.officeOff}</b> {text.officeOffMeans}
          </p>
          <p>{text.officeOperator}</p>
          <ul class="variables">
            {(['OFFICE_URL', 'OFFICE_JWT_SECRET', 'OFFICE_ENABLED'] as const).map((name) => (
              <li key={name}>
                <code>{name}</code> {text.officeVariables[name]}
              </li>
            ))}
          </ul>
        </div>
      </div>
    );
  return (
    <div class={`result${works ? '' : ' bad'}`} role="status">
      <Icon name={works ? 'check' : 'alert'} />
      <p>
        <b>{works ? text.officeWorks : tested ? text.selftestFailed : text.officeFails}</b>{' '}
        {works
          ? text.officeWorksMeans
          : !tested && data?.error_code && connectionText(data.error_code, data.error_fact)}
      </p>
    </div>
  );
}

interface SelftestProps {
  readonly result: Selftest | undefined;
  readonly onResult: (result: Selftest) => void;
}

/** Runs on request: it takes up to a minute. Leaving the page ends it. */
function SelftestPart({ result, onResult }: SelftestProps) {
  const { connections: text } = t();
  const running = useRef<AbortController>(undefined);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  useEffect(() => () => running.current?.abort(), []);
  const run = async () => {
    if (isBusy) return;
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    setBusy(true);
    setError(undefined);
    try {
      onResult(await reply(api.POST('/v1/office/selftest', { signal })));
    } catch (failure) {
      if (!signal.aborted) setError(failure);
    } finally {
      if (!signal.aborted) setBusy(false);
    }
  };
  return (
    <>
      <div role="status">
        {isBusy && (
          <p class="state">
            <span class="spin" aria-hidden="true" />
            {text.selftestRuns}
          </p>
        )}
        {result && !isBusy && (
          <p>
            <b>{result.ok ? text.selftestPassed : text.selftestFailed}</b>
          </p>
        )}
      </div>
      {error !== undefined && <Failed error={error} />}
      {result && !isBusy && (
        <ol class="entries hops">
          {result.hops.map((hop, index) => (
            <HopRow
              key={hop.name}
              hop={hop}
              isTried={result.hops.slice(0, index).every(({ ok }) => ok)}
            />
          ))}
        </ol>
      )}
      <div class="buttons">
        <button type="button" class="button" aria-disabled={isBusy} onClick={() => void run()}>
          {result ? text.selftestAgain : text.selftestStart}
        </button>
      </div>
    </>
  );
}

/** One hop: what it tries, what came of it, and what to do if it failed. Only the first failure was tried. */
function HopRow({
  hop: { name, ok, error_code: code, error_fact: fact },
  isTried,
}: {
  hop: Hop;
  isTried: boolean;
}) {
  const { connections: text } = t();
  const { title, advice } = text.hops[name];
  const isBad = !ok && isTried;
  return (
    <li class={ok ? 'good' : isBad ? 'bad' : undefined}>
      <Icon name={ok ? 'check' : isTried ? 'alert' : 'clock'} />
      <p class="grow">
        <b>{title}</b>
        {isBad && (
          <>
            <br />
            {advice}
          </>
        )}
        {isBad && code && (
          <>
            <br />
            <span class="soft">{connectionText(code, fact)}</span>
          </>
        )}
      </p>
      <span class={`state ${ok ? 'good' : isTried ? 'bad' : ''}`}>
        {ok ? text.hopWorks : isTried ? text.hopFails : text.hopNotTried}
      </span>
    </li>
  );
}
