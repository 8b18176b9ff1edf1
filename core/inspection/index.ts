export { inspectWorkspace, isDamage, type InspectDeps, type InspectOptions } from './inspect.ts';
