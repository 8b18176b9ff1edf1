import { INTEGRATION_STATUSES, type IntegrationCard } from '../../../core/integrations/index.ts';
import { INTEGRATION_KINDS } from '../../../ports/integrations.ts';
import { route } from '../route.ts';
import {
  baseUrl,
  closed,
  flag,
  freeForm,
  int,
  label,
  named,
  number,
  object,
  oneOf,
  optional,
  secret,
  text,
  type TypeOf,
} from '../schema.ts';
import { Deleted, deleted, iso, listReply } from './shapes.ts';

const tag = 'Integrations';

const Card = named(
  'Integration',
  closed({
    kind: oneOf(...INTEGRATION_KINDS),
    configured: flag(),
    enabled: flag(),
    status: oneOf(...INTEGRATION_STATUSES),
    checked_at: text({ description: 'ISO 8601; empty before the first check.' }),
    last_error: text({ description: 'What the last check found wrong; empty when nothing was.' }),
    secret_hint: text({ description: 'The last four characters of a secret of eight or more.' }),
    config: freeForm({ description: 'As it was sent.' }),
    migration: freeForm({ description: 'Progress of moving files, for `s3`.' }),
  }),
);

const card = (of: IntegrationCard): TypeOf<typeof Card> => ({
  kind: of.kind,
  configured: of.configured,
  enabled: of.enabled,
  status: of.status,
  checked_at: of.checkedAt === null ? '' : iso(of.checkedAt),
  last_error: of.lastError,
  secret_hint: of.secretHint,
  config: of.config,
  migration: {},
});

const kindPath = object({ kind: text({ description: '`llm` or `s3`.' }) });

/** It is sent in a header: visible ASCII. */
const sentSecret = optional(
  secret(
    text({
      maxLength: 4096,
      pattern: '^[!-~]*$',
      description:
        'Left out, the stored one stays, unless scheme, host or port change. Empty, it is dropped.',
    }),
  ),
);

export const integrationRoutes = [
  route({
    method: 'get',
    path: '/v1/integrations',
    tag,
    name: 'listIntegrations',
    summary: 'What the owner has connected: a card of each kind, always',
    access: 'owner',
    reply: { json: listReply('IntegrationList', Card) },
    run: (core, { caller }) => core.integrations.listIntegrations(caller),
    present: (cards) => ({ items: cards.map(card), total: cards.length }),
  }),
  route({
    method: 'put',
    path: '/v1/integrations/llm',
    besides: true,
    tag,
    name: 'connectModel',
    summary: 'Connect a model behind an OpenAI-compatible address, enable it and check it',
    description:
      'A check that fails is no error of the request: the card has `status` `error` and tells why in `last_error`. See the guide on models for what to send for which service.',
    access: 'owner',
    body: {
      json: object({
        config: object({
          base_url: baseUrl({ description: 'The chat completions are at `…/chat/completions`.' }),
          model: label(200),
          embedding_model: optional(label(200)),
          temperature: optional(number({ minimum: 0, maximum: 2 })),
          context_tokens: optional(int({ minimum: 512, maximum: 2_000_000 })),
        }),
        secret: sentSecret,
      }),
    },
    reply: { json: Card },
    run: (core, { caller, body: { config, secret: key } }) =>
      core.integrations.connectModel(caller, {
        config: {
          base_url: config.base_url,
          model: config.model,
          ...(config.embedding_model !== undefined && { embedding_model: config.embedding_model }),
          ...(config.temperature !== undefined && { temperature: config.temperature }),
          ...(config.context_tokens !== undefined && { context_tokens: config.context_tokens }),
        },
        ...(key !== undefined && { secret: key }),
      }),
    present: card,
  }),
  route({
    method: 'put',
    path: '/v1/integrations/:kind',
    tag,
    name: 'connectIntegration',
    summary: 'Connect something else: refused, as only models can be connected yet',
    access: 'owner',
    errors: ['not_found', 'not_available'],
    params: kindPath,
    body: { json: object({ config: freeForm(), secret: sentSecret }) },
    reply: { json: Card },
    run: (core, { caller, params }) => core.integrations.connectOther(caller, params.kind),
    present: card,
  }),
  route({
    method: 'get',
    path: '/v1/integrations/:kind',
    tag,
    name: 'getIntegration',
    summary: 'One card',
    access: 'owner',
    errors: ['not_found'],
    params: kindPath,
    reply: { json: Card },
    run: (core, { caller, params }) => core.integrations.getIntegration(caller, params.kind),
    present: card,
  }),
  route({
    method: 'patch',
    path: '/v1/integrations/:kind',
    tag,
    name: 'toggleIntegration',
    summary: 'Enable or disable a connection without losing its settings',
    access: 'owner',
    errors: ['not_found', 'not_configured'],
    params: kindPath,
    body: { json: object({ enabled: flag() }) },
    reply: { json: Card },
    run: (core, { caller, params, body }) =>
      core.integrations.toggleIntegration(caller, params.kind, body.enabled),
    present: card,
  }),
  route({
    method: 'delete',
    path: '/v1/integrations/:kind',
    tag,
    name: 'disconnect',
    summary: 'Forget a connection, its settings and its secret',
    access: 'owner',
    errors: ['not_found'],
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
    summary: 'Try a connection now; ten seconds at most',
    access: 'owner',
    errors: ['not_found', 'not_configured'],
    params: kindPath,
    reply: { json: Card },
    run: (core, { caller, params }) => core.integrations.checkIntegration(caller, params.kind),
    present: card,
  }),
];
