import { route } from '../../route.ts';
import { closed, flag, int, named, object, text } from '../../schema.ts';

const tag = 'Identity';

export const referralRoutes = [
  route({
    method: 'get',
    path: '/v1/referral',
    tag,
    name: 'getReferral',
    summary: 'Your referral code, how many have applied it, and whether you have applied one',
    access: 'owner',
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
    summary: 'Apply the code of somebody else, once',
    description:
      '`applied` is false for an unknown code, your own, and any after the first. Case, blanks and dashes do not matter.',
    access: 'owner',
    errors: ['empty_text'],
    body: { json: object({ code: text() }) },
    reply: { json: named('ReferralApplied', closed({ applied: flag() })) },
    run: (core, { caller, body }) => core.referral.applyReferral(caller, body.code),
    present: (applied) => ({ applied }),
  }),
];
