import { route } from '../../route.ts';
import { closed, dateTime, int, list, named, nullable, oneOf, text } from '../../schema.ts';
import { iso } from '../shapes.ts';

export const usageRoutes = [
  route({
    method: 'get',
    path: '/v1/usage',
    tag: 'Identity',
    name: 'getUsage',
    summary: 'What the account has used this month, and what it may',
    description:
      'Months are those of the calendar in UTC. While the hidden zone is locked, `storage_bytes` leaves out what only hidden objects keep.',
    access: 'owner',
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
