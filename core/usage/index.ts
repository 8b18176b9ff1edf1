export { usageOf, type Usage, type UsageItem } from './usage.ts';
