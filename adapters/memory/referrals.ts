import type { ReferralStore } from '../../ports/referrals.ts';
import type { Tables } from './database.ts';

export function memoryReferrals({
  referralCode,
  referralApplication,
  referralCredits,
}: Tables): ReferralStore {
  return {
    code: async () => referralCode.get('code'),
    saveCode: async (code) => {
      const first = referralCode.get('code') === undefined;
      if (first) referralCode.set('code', code);
      return first;
    },
    applied: async () => referralApplication.get('applied'),
    apply: async (application) => {
      const first = referralApplication.get('applied') === undefined;
      if (first) referralApplication.set('applied', Object.freeze({ ...application }));
      return first;
    },
    credit: async ({ invitedId, creditedAt }) => {
      const first = referralCredits.get(invitedId) === undefined;
      if (first) referralCredits.set(invitedId, creditedAt);
      return first;
    },
    invited: async () => referralCredits.values().length,
  };
}
