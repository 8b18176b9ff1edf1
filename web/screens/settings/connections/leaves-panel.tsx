import type { ComponentChildren } from 'preact';
import { api } from '../../../api/client.ts';
import { reply } from '../../../api/errors.ts';
import { hostOf, isInOwnNetwork } from '../../../data/own-network.ts';
import { readHealth } from '../../../data/health.ts';
import { useResource } from '../../../data/resource.ts';
import { t } from '../../../i18n/connections.ts';
import { formatList } from '../../../i18n/format.ts';
import { Icon, type IconName } from '../../../ui/icon.tsx';
import { Failed, Working } from '../../../ui/notice.tsx';
import { bucketHost, inBucket, readConnections, type Connections } from './connection.ts';

const MAX_BOTS = 20;

interface Leaving {
  readonly connections: Connections;
  /** What the operator has connected for everyone. */
  readonly operator: { readonly model: boolean; readonly office: boolean };
  readonly bots: readonly string[];
}

async function readLeaving(signal: AbortSignal): Promise<Leaving> {
  const [connections, { checks }, bots] = await Promise.all([
    readConnections(signal),
    readHealth(signal),
    reply(api.GET('/v1/bots', { params: { query: { limit: MAX_BOTS } }, signal })),
  ]);
  const has = (wanted: string) =>
    checks.some(({ name, status }) => name === wanted && status !== 'off');
  return {
    connections,
    operator: { model: has('llm'), office: has('office') },
    bots: bots.items.map(({ username }) => `@${username}`),
  };
}

/** What leaves this machine, and where it goes, as it is connected now. */
export default function LeavesPanel() {
  const { connections: text, shell } = t();
  const { data, error, reload } = useResource('leaving', readLeaving, ['integrations', 'bots']);
  return (
    <aside class="panel" aria-label={text.leaves}>
      <div class="panel-bar">
        <h2>{text.leaves}</h2>
      </div>
      <div class="scroll" tabIndex={0} role="region" aria-label={text.leaves}>
        <div class="panel-in">
          {error !== undefined && <Failed error={error} retry={reload} />}
          {!data && error === undefined && <Working>{shell.loading}</Working>}
          {data && <Ledger of={data} />}
        </div>
      </div>
    </aside>
  );
}

function Ledger({ of: { connections, operator, bots } }: { of: Leaving }) {
  const { connections: text } = t();
  const { model, bucket } = connections;
  return (
    <ul class="ledger">
      <Entry icon="ask" title={text.questions}>
        {modelTarget(model, operator.model) ?? text.answeredHere}
      </Entry>
      <Entry icon="library" title={text.documents}>
        {modelTarget(model, operator.model) === undefined ? text.describedHere : text.described}
      </Entry>
      <Entry icon="camera" title={text.pictures}>
        {text.readHere}
      </Entry>
      <Entry icon="bucket" title={text.files}>
        {filesTarget(bucket)}
      </Entry>
      <Entry icon="office" title={text.officeFiles}>
        {operator.office ? text.toDocumentServer : text.toNoDocumentServer}
      </Entry>
      <Entry icon="bot" title={text.reminders}>
        {bots.length === 0 ? text.toNoMessenger : text.toTelegram(formatList(bots))}
      </Entry>
      <Entry icon="globe" title={text.links}>
        {text.linksFetched}
      </Entry>
      <Entry icon="link" title={text.shared}>
        {text.sharedTo}
      </Entry>
      <Entry icon="check" title={text.nothingElse}>
        {text.appLoadsNothing}
      </Entry>
    </ul>
  );
}

interface EntryProps {
  readonly icon: IconName;
  readonly title: string;
  readonly children: ComponentChildren;
}

const Entry = ({ icon, title, children }: EntryProps) => (
  <li>
    <Icon name={icon} />
    <p>
      <b>{title}</b>
      {children}
    </p>
  </li>
);

function modelTarget(
  { enabled, of }: Connections['model'],
  hasOperatorModel: boolean,
): string | undefined {
  const { connections: text } = t();
  if (!enabled || !of) return hasOperatorModel ? text.toOperatorModel : undefined;
  const host = hostOf(of.base_url);
  return isInOwnNetwork(host) ? text.toOwnModel(of.model, host) : text.toModel(of.model, host);
}

function filesTarget({ enabled, of, progress }: Connections['bucket']): string {
  const { connections: text } = t();
  if (!of) return text.filesStay;
  const host = bucketHost(of);
  if (enabled) return text.filesTo(of.bucket, host);
  const there = progress ? inBucket(progress) : 0;
  return there > 0 ? text.filesThere(there, of.bucket, host) : text.filesStay;
}
