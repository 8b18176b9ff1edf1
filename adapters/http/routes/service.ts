import { CONNECTION_CODES } from '../../../ports/reasons.ts';
import { route } from '../route.ts';
import { closed, int, list, named, nullable, oneOf, text } from '../schema.ts';
import { connectionError } from './shapes.ts';

const tag = 'Service';

export const serviceRoutes = [
  route({
    method: 'get',
    path: '/health',
    tag,
    name: 'health',
    summary: 'Report that the process is alive',
    access: 'public',
    probe: true,
    reply: { json: named('Alive', closed({ status: oneOf('ok') })) },
    run: () => Promise.resolve(),
    present: () => ({ status: 'ok' as const }),
  }),
  route({
    method: 'get',
    path: '/health/deep',
    tag,
    name: 'deepHealth',
    summary: 'Check every dependency',
    description:
      '503 unless every check is `ok`, with the same body. A dependency that is not connected is `off`. Probes of outside services are shared for ten seconds.',
    access: 'owner',
    scope: 'any',
    probe: true,
    reply: {
      json: named(
        'HealthReport',
        closed({
          status: oneOf('ok', 'degraded'),
          checks: list(
            closed({
              name: text(),
              status: oneOf('ok', 'failed', 'off'),
              detail: text(),
              error_code: nullable(oneOf(...CONNECTION_CODES)),
              error_fact: text(),
              ms: int(),
            }),
          ),
        }),
      ),
    },
    run: (core) => core.health.deepHealth(),
    present: ({ status, checks }) => ({
      status,
      checks: checks.map((check) => ({
        ...check,
        ...connectionError(check.status === 'failed' ? check.detail : ''),
      })),
    }),
    status: ({ status }) => (status === 'ok' ? 200 : 503),
  }),
];
