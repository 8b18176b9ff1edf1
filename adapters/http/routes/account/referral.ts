import { route } from '../../route.ts';
import { closed, flag, int, named, object, text } from '../../schema.ts';

const tag = 'Identity';

export const referralRoutes = [
  route({
    method: 'get',
    path: '/v1/referral',
    tag,
    name: 'getReferral',
    summary:
      'The referral code, the number of owners who applied it, and whether a code has been applied',
    access: 'owner',
    scope: ['account', 'read'],
    reply: {
      json: named('Referral', closed({ code: text(), invited: int(), applied: flag() })),
    },
    run: (core, { caller }) => core.referral.getReferral(caller),
    present: ({ code, invited, applied }) => ({ code, invited, applied }),
  }),
  route({
    method: 'post',
    path: '/v1/referral/apply',
    tag,
    name: 'applyReferral',
    summary: "Apply another owner's referral code, once",
    description:
      '`applied` is false for an unknown code, the own code, and any after the first. Case, spaces and dashes are ignored.',
    access: 'owner',
    scope: 'account',
    errors: ['empty_text'],
    body: { json: object({ code: text() }) },
    reply: { json: named('ReferralApplied', closed({ applied: flag() })) },
    run: (core, { caller, body }) => core.referral.applyReferral(caller, body.code),
    present: (applied) => ({ applied }),
  }),
];
