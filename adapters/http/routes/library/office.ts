import {
  DEVICES,
  OFF_REASONS,
  PERMISSIONS,
  type OfficeAnswer,
} from '../../../../core/office/index.ts';
import { OFFICE_KINDS } from '../../../../ports/office.ts';
import { CONNECTION_CODES } from '../../../../ports/reasons.ts';
import { preferredLanguage } from '../../request/accept-language.ts';
import { bytesRoute, route } from '../../route.ts';
import {
  closed,
  flag,
  freeForm,
  int,
  list,
  named,
  nullable,
  object,
  oneOf,
  optional,
  secret,
  text,
  withDefault,
  type TypeOf,
} from '../../schema.ts';
import { connectionError, objectPath } from '../shapes.ts';

const tag = 'Office';

const permissions = Object.fromEntries(PERMISSIONS.map((name) => [name, flag()])) as Record<
  (typeof PERMISSIONS)[number],
  ReturnType<typeof flag>
>;

const Config = closed({
  document: optional(
    closed({
      fileType: text(),
      key: text({ description: 'Changes with every version.' }),
      title: text(),
      url: text({
        description: 'Address for the document server to read the file; valid for an hour.',
      }),
      permissions: closed(permissions),
    }),
  ),
  documentType: optional(oneOf(...OFFICE_KINDS)),
  editorConfig: optional(
    closed({
      callbackUrl: text({
        description: 'Address for callbacks of the document server; valid for a week.',
      }),
      mode: oneOf('edit', 'view'),
      lang: text(),
      user: closed({ id: text(), name: text() }),
    }),
  ),
  type: optional(oneOf(...DEVICES)),
  token: optional(text({ description: 'JWT (HS256) of the whole configuration.' })),
});

const OfficeConfig = named(
  'OfficeConfig',
  closed({
    enabled: flag(),
    reason: oneOf('', ...OFF_REASONS),
    document_server_url: text({ description: 'Empty while `enabled` is false.' }),
    config: Config,
  }),
);

const officeConfig = (answer: OfficeAnswer): TypeOf<typeof OfficeConfig> =>
  answer.enabled
    ? {
        enabled: true,
        reason: '',
        document_server_url: answer.serverUrl,
        config: answer.config,
      }
    : { enabled: false, reason: answer.reason, document_server_url: '', config: {} };

/** Any string: an invalid capability gets the same response as an unknown one. */
const passPath = object({ pass: secret(text()) });

export const officeRoutes = [
  route({
    method: 'get',
    path: '/v1/office/config/:object_id',
    tag,
    name: 'officeConfig',
    summary: 'Signed configuration of the office editor for a file',
    description:
      'For the script of ONLYOFFICE Docs. If the editor cannot be opened, `enabled` is false, `reason` says why, and `config` is empty. A read-only token gets `mode` `view`. `lang` follows `Accept-Language`.',
    access: 'owner',
    scope: 'read',
    readsUnlockToken: true,
    errors: ['not_found'],
    params: objectPath,
    query: object({ type: withDefault(oneOf(...DEVICES), 'desktop') }),
    reply: { json: OfficeConfig },
    run: (core, { caller, params, query, languages }) =>
      core.office.officeConfig(caller, params.object_id, {
        device: query.type,
        language: preferredLanguage(languages),
      }),
    present: officeConfig,
  }),
  route({
    method: 'post',
    path: '/v1/office/selftest',
    tag,
    name: 'officeSelftest',
    summary: 'Check the connections between this service and the document server, hop by hop',
    description:
      'The first hop that is not `ok` says what to do; later hops are not tested. It takes less than a minute.',
    access: 'owner',
    scope: 'write',
    reply: {
      json: named(
        'OfficeSelftest',
        closed({
          ok: flag(),
          hops: list(
            closed({
              name: oneOf('engine', 'secret', 'addresses'),
              ok: flag(),
              detail: text(),
              error_code: nullable(oneOf(...CONNECTION_CODES)),
              error_fact: text(),
            }),
          ),
        }),
      ),
    },
    run: (core) => core.office.officeSelftest(),
    present: ({ ok, hops }) => ({
      ok,
      hops: hops.map(({ reason, ...hop }) => ({ ...hop, ...connectionError(reason) })),
    }),
  }),
  bytesRoute({
    method: 'get',
    path: '/v1/public/office/files/:pass',
    tag,
    name: 'readForEngine',
    summary: 'The bytes of the opened version, for the document server',
    description: 'The address is issued by the editor configuration only.',
    access: 'engine',
    capabilityKind: 'file',
    errors: ['not_found', 'range_not_satisfiable'],
    params: passPath,
    reply: { bytes: 'application/octet-stream' },
    run: async (core, { engine }) => ({
      content: await core.office.readForEngine(engine.pass),
      options: { disposition: 'attachment' },
    }),
  }),
  route({
    method: 'post',
    path: '/v1/public/office/callbacks/:pass',
    tag,
    name: 'takeCallback',
    summary: 'Callback of the document server',
    description:
      '`key`, `status` and `url` as in its published interface, signed in `token`, in the bearer token of the header, or both. Status 2 and 6 become versions. Every error has `error` 1.',
    access: 'engine',
    capabilityKind: 'callback',
    // A large file comes from the document server meanwhile.
    longRunning: true,
    errorBodyFields: { error: 1 },
    errors: [
      'not_found',
      'invalid_signature',
      'unknown_status',
      'unsupported_type',
      'plan_limit',
      'upstream_failed',
    ],
    params: passPath,
    // The history of a long session comes along.
    body: { json: freeForm(), maxBytes: 8 * 2 ** 20 },
    reply: { json: named('CallbackTaken', closed({ error: int({ minimum: 0, maximum: 0 }) })) },
    run: (core, { engine, body }) =>
      core.office.handleCallback(engine.pass, {
        body,
        ...(engine.bearer !== undefined && { bearer: engine.bearer }),
      }),
    present: () => ({ error: 0 }),
  }),
];
