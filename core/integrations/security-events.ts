import type { Integration, IntegrationKind } from '../../ports/integrations.ts';
import type { SecurityFacts } from '../../ports/security-events.ts';
import type { SecurityEventInput } from '../security-events/index.ts';
import { bucketConfig } from './bucket.ts';
import { sameConnection } from './connection.ts';
import { modelConfig, originOf } from './model.ts';

/** The change of a connection that was stored; undefined if it is what it was. */
export function connectionChange(
  before: Integration | undefined,
  after: Integration,
): SecurityEventInput | undefined {
  const isSame = sameConnection(before, after);
  if (isSame && before?.enabled === after.enabled) return undefined;
  const effect = !before ? 'set_up' : !isSame ? 'changed' : after.enabled ? 'enabled' : 'disabled';
  const { kind } = after;
  return {
    kind: 'connection_changed',
    subject: kind,
    detail: `${NAMES[kind]} was ${effect.replace('_', ' ')}: ${targetOf(after).join(' at ')}.`,
    facts: factsOf(after, effect),
  };
}

export const connectionRemoval = (connection: Integration): SecurityEventInput => ({
  kind: 'connection_removed',
  subject: connection.kind,
  detail: `${NAMES[connection.kind]} was removed: ${targetOf(connection).join(' at ')}.`,
  facts: factsOf(connection, 'removed'),
});

function factsOf(connection: Integration, effect: string): SecurityFacts {
  const [target, server] = targetOf(connection);
  return { effect, target, server };
}

const NAMES: Readonly<Record<IntegrationKind, string>> = {
  llm: 'The connection to a language model',
  s3: 'The connection to a bucket',
};

/** Where data is sent. Paths and keys are left out: they may be secret. */
function targetOf(connection: Integration): readonly [target: string, server: string] {
  if (connection.kind === 'llm') {
    const config = modelConfig(connection);
    return [config.model, originOf(config)];
  }
  const { bucket, endpoint = 'AWS' } = bucketConfig(connection);
  return [bucket, endpoint];
}
