import { route } from '../../route.ts';
import { closed, dateTime, int, list, named, nullable, oneOf, text } from '../../schema.ts';
import { iso } from '../shapes.ts';

export const usageRoutes = [
  route({
    method: 'get',
    path: '/v1/usage',
    tag: 'Identity',
    name: 'getUsage',
    summary: 'Usage and limits of the account in this calendar month',
    description:
      'Months are in UTC. `questions` and `enrichments` count the operator’s model only. `storage_bytes` counts each content once, with versions and trash, and corrected texts; while the hidden zone is locked, visible objects only.',
    access: 'owner',
    scope: ['account', 'read'],
    readsUnlockToken: true,
    reply: {
      json: named(
        'Usage',
        closed({
          role: text(),
          period_start: dateTime(),
          period_end: dateTime(),
          requests_per_minute: int(),
          items: list(
            closed({
              metric: oneOf('questions', 'enrichments', 'storage_bytes'),
              used: int(),
              limit: nullable(int()),
              remaining: nullable(int()),
            }),
          ),
        }),
      ),
    },
    run: (core, { caller }) => core.usage.usageOf(caller),
    present: (usage) => ({
      role: usage.role,
      period_start: iso(usage.periodStart),
      period_end: iso(usage.periodEnd),
      requests_per_minute: usage.requestsPerMinute,
      items: [...usage.items],
    }),
  }),
];
