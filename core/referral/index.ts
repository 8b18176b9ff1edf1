export {
  applyReferral,
  CREDIT_TASK,
  creditReferral,
  getReferral,
  type Referral,
  type ReferralDeps,
} from './referral.ts';
