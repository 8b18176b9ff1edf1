import { route } from '../route.ts';
import { closed, int, list, named, oneOf, text } from '../schema.ts';

const tag = 'Service';

export const serviceRoutes = [
  route({
    method: 'get',
    path: '/health',
    tag,
    name: 'health',
    summary: 'The process is alive',
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
    summary: 'How everything the service depends on is doing',
    description: '503 whenever a check is not `ok`; the list is the answer then as well.',
    access: 'owner',
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
              ms: int(),
            }),
          ),
        }),
      ),
    },
    run: (core) => core.health.deepHealth(),
    present: ({ status, checks }) => ({ status, checks: checks.map((check) => ({ ...check })) }),
    status: ({ status }) => (status === 'ok' ? 200 : 503),
  }),
];
