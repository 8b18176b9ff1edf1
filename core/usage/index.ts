export { charge, refund, requireQuota, type Charge } from './metering.ts';
export { usageOf, type Usage, type UsageItem } from './usage.ts';
