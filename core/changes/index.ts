export { followChanges, type ChangeEvent } from './follow.ts';
export { recordChanges } from './record.ts';
