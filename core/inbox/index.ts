export { inboxProbe } from './health.ts';
export { isLeftAlone } from './names.ts';
export { takeInbox, type InboxTimes, type InboxTurn } from './run.ts';
export { InboxState } from './state.ts';
