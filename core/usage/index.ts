export { charge, giveBack, requireLeft, type Charge } from './metering.ts';
export { usageOf, type Usage, type UsageItem } from './usage.ts';
