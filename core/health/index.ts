export { deepHealth, type CheckResult, type HealthReport } from './health.ts';
