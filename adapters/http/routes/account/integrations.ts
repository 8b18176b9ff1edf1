import {
  INTEGRATION_STATUSES,
  NOTE_CODES,
  type IntegrationCard,
} from '../../../../core/integrations/index.ts';
import type { Core } from '../../../../core/index.ts';
import type { Caller } from '../../../../core/shared/caller.ts';
import type { MigrationProgress } from '../../../../core/storage/index.ts';
import { INTEGRATION_KINDS } from '../../../../ports/integrations.ts';
import { CONNECTION_CODES } from '../../../../ports/reasons.ts';
import { route } from '../../route.ts';
import {
  baseUrl,
  closed,
  flag,
  freeForm,
  int,
  label,
  list,
  named,
  nullable,
  number,
  object,
  oneOf,
  optional,
  origin,
  secret,
  text,
  type TypeOf,
} from '../../schema.ts';
import { Deleted, connectionError, deleted, iso, listReply, waitingDocuments } from '../shapes.ts';
import { migrationOf } from '../library/storage-migration.ts';

const tag = 'Integrations';

const Card = named(
  'Integration',
  closed({
    kind: oneOf(...INTEGRATION_KINDS),
    configured: flag(),
    enabled: flag(),
    status: oneOf(...INTEGRATION_STATUSES),
    checked_at: text({ description: 'ISO 8601; empty before the first check.' }),
    last_error: text({ description: 'Error of the last check; empty without one.' }),
    last_error_code: nullable(oneOf(...CONNECTION_CODES)),
    last_error_fact: text({ description: 'A status or number in the error; empty for none.' }),
    secret_hint: text({ description: 'The last four characters of a secret of eight or more.' }),
    config: freeForm({ description: 'As it was sent.' }),
    migration: freeForm({ description: 'Progress of the storage migration, for `s3`.' }),
    waiting_documents: optional(waitingDocuments()),
    notes: optional(
      list(closed({ code: oneOf(...NOTE_CODES), text: text() }), {
        description: 'What the last check of a model has shown of its service. Absent for nothing.',
      }),
    ),
  }),
);

/**
 * A card, of a bucket how far the moving of files has come, and of the model how many documents wait because it is busy.
 */
interface Shown {
  readonly of: IntegrationCard;
  readonly progress?: MigrationProgress;
  readonly waiting?: number;
}

const withProgress = async (core: Core, caller: Caller, of: IntegrationCard): Promise<Shown> =>
  of.kind === 's3'
    ? { of, progress: await core.storage.migrationProgress(caller) }
    : { of, waiting: await core.integrations.countWaitingDocuments(caller) };

function card({ of, progress, waiting = 0 }: Shown): TypeOf<typeof Card> {
  const { error_code: code, error_fact: fact } = connectionError(of.lastError);
  return {
    kind: of.kind,
    configured: of.configured,
    enabled: of.enabled,
    status: of.status,
    checked_at: of.checkedAt === null ? '' : iso(of.checkedAt),
    last_error: of.lastError,
    last_error_code: code,
    last_error_fact: fact,
    secret_hint: of.secretHint,
    config: of.config,
    migration: progress ? migrationOf(progress) : {},
    ...(waiting > 0 && { waiting_documents: waiting }),
    ...(of.notes.length > 0 && { notes: [...of.notes] }),
  };
}

const kindPath = object({ kind: text({ description: '`llm` or `s3`.' }) });

/** It is sent in a header: visible ASCII. A blank or a line break that was pasted with it is dropped. */
const sentSecret = (description: string) =>
  optional(
    secret({ ...text({ maxLength: 4096, pattern: '^[!-~]*$', description }), trimmed: true }),
  );

/** A name between two slashes that is no step to somewhere else. */
const SEGMENT = '(?!\\.+(?:/|$))[\\w.~-]{1,200}';

export const integrationRoutes = [
  route({
    method: 'get',
    path: '/v1/integrations',
    tag,
    name: 'listIntegrations',
    summary: 'Connections of the owner: always one card per kind',
    access: 'owner',
    scope: ['connections', 'read'],
    readsUnlockToken: true,
    reply: { json: listReply('IntegrationList', Card) },
    run: async (core, { caller }) => {
      const cards: Shown[] = [];
      for (const each of await core.integrations.listIntegrations(caller))
        cards.push(await withProgress(core, caller, each));
      return cards;
    },
    present: (cards) => ({ items: cards.map(card), total: cards.length }),
  }),
  route({
    method: 'put',
    path: '/v1/integrations/llm',
    fallsThrough: true,
    tag,
    name: 'connectModel',
    summary: 'Connect an OpenAI-compatible model, enable it and check it',
    description:
      'A failed check is not an error of the request: the card has `status` `error` and the reason in `last_error`. The stored secret is kept if `secret` is absent and scheme, host and port are the same.',
    access: 'owner',
    scope: 'connections',
    body: {
      json: object({
        config: object({
          base_url: baseUrl({ description: 'The chat completions are at `…/chat/completions`.' }),
          model: label(200),
          embedding_model: optional(label(200)),
          temperature: optional(number({ minimum: 0, maximum: 2 })),
          context_tokens: optional(int({ minimum: 512, maximum: 2_000_000 })),
        }),
        secret: sentSecret(
          'Left out, the stored one stays, unless scheme, host or port change. Empty, it is dropped.',
        ),
      }),
    },
    reply: { json: Card },
    run: async (core, { caller, body: { config, secret: key } }) =>
      withProgress(
        core,
        caller,
        await core.integrations.connectModel(caller, {
          config: {
            base_url: config.base_url,
            model: config.model,
            ...(config.embedding_model !== undefined && {
              embedding_model: config.embedding_model,
            }),
            ...(config.temperature !== undefined && { temperature: config.temperature }),
            ...(config.context_tokens !== undefined && { context_tokens: config.context_tokens }),
          },
          ...(key !== undefined && { secret: key }),
        }),
      ),
    present: card,
  }),
  route({
    method: 'put',
    path: '/v1/integrations/s3',
    fallsThrough: true,
    tag,
    name: 'connectBucket',
    summary: 'Connect an S3-compatible bucket, enable it and check it',
    description:
      'The check writes, reads and deletes an object; a failed one is not an error of the request: the card has `status` `error` and the reason in `last_error`. While files are in the bucket, another location is 409 `in_use`; another key or secret for the same location is accepted.',
    access: 'owner',
    scope: 'connections',
    errors: ['in_use'],
    body: {
      json: object({
        config: object({
          endpoint: optional(origin({ description: 'Scheme, host and port. Absent: AWS.' })),
          region: text({ pattern: '^[A-Za-z\\d-]{1,40}$' }),
          bucket: text({ pattern: '^[a-z\\d][a-z\\d.-]{1,61}[a-z\\d]$' }),
          prefix: optional(
            text({
              maxLength: 512,
              pattern: `^(?:${SEGMENT}(?:/${SEGMENT})*/?)?$`,
              description: 'Prefix of all object keys: names joined by slashes.',
            }),
          ),
          force_path_style: optional(
            flag({
              description:
                'Bucket in the path instead of the host name. Absent: true if there is an endpoint.',
            }),
          ),
          access_key_id: {
            ...text({ pattern: '^[\\x21-\\x2b\\x2d-\\x2e\\x30-\\x7e]{1,256}$' }),
            trimmed: true,
          },
        }),
        secret: sentSecret(
          'The secret access key. Left out, the stored one stays, unless endpoint or access key change. Empty, it is dropped.',
        ),
      }),
    },
    reply: { json: Card },
    run: async (core, { caller, body: { config, secret: key } }) =>
      withProgress(
        core,
        caller,
        await core.integrations.connectBucket(caller, {
          config: {
            ...(config.endpoint !== undefined && { endpoint: config.endpoint.replace(/\/$/, '') }),
            region: config.region,
            bucket: config.bucket,
            ...(config.prefix !== undefined && { prefix: config.prefix }),
            ...(config.force_path_style !== undefined && {
              force_path_style: config.force_path_style,
            }),
            access_key_id: config.access_key_id,
          },
          ...(key !== undefined && { secret: key }),
        }),
      ),
    present: card,
  }),
  route({
    method: 'put',
    path: '/v1/integrations/:kind',
    tag,
    name: 'connectUnknown',
    summary: 'Any other kind is 404',
    access: 'owner',
    scope: 'connections',
    errors: ['not_found'],
    params: kindPath,
    reply: { json: Card },
    run: async (core, { caller }) => ({ of: await core.integrations.rejectKind(caller) }),
    present: card,
  }),
  route({
    method: 'get',
    path: '/v1/integrations/:kind',
    tag,
    name: 'getIntegration',
    summary: 'One connection',
    access: 'owner',
    scope: ['connections', 'read'],
    readsUnlockToken: true,
    errors: ['not_found'],
    params: kindPath,
    reply: { json: Card },
    run: async (core, { caller, params }) =>
      withProgress(core, caller, await core.integrations.getIntegration(caller, params.kind)),
    present: card,
  }),
  route({
    method: 'patch',
    path: '/v1/integrations/:kind',
    tag,
    name: 'toggleIntegration',
    summary: 'Enable or disable a connection and keep its settings',
    description: 'Enabling does not check the connection.',
    access: 'owner',
    scope: 'connections',
    errors: ['not_found', 'not_configured'],
    params: kindPath,
    body: { json: object({ enabled: flag() }) },
    reply: { json: Card },
    run: async (core, { caller, params, body }) =>
      withProgress(
        core,
        caller,
        await core.integrations.toggleIntegration(caller, params.kind, body.enabled),
      ),
    present: card,
  }),
  route({
    method: 'delete',
    path: '/v1/integrations/:kind',
    tag,
    name: 'disconnect',
    summary: 'Delete a connection with its settings and secret',
    description: '409 `in_use` while visible files are in the bucket.',
    access: 'owner',
    scope: 'connections',
    errors: ['not_found', 'in_use'],
    params: kindPath,
    reply: { json: Deleted },
    run: (core, { caller, params }) => core.integrations.disconnect(caller, params.kind),
    present: deleted,
  }),
  route({
    method: 'post',
    path: '/v1/integrations/:kind/check',
    tag,
    name: 'checkIntegration',
    summary: 'Check a connection now, within ten seconds',
    access: 'owner',
    scope: 'connections',
    errors: ['not_found', 'not_configured'],
    params: kindPath,
    reply: { json: Card },
    run: async (core, { caller, params }) =>
      withProgress(core, caller, await core.integrations.checkIntegration(caller, params.kind)),
    present: card,
  }),
];
