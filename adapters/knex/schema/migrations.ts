import { initial } from './001-initial.ts';
import { signIn } from './002-sign-in.ts';
import { app } from './003-app.ts';
import { agentUndos } from './004-agent-undos.ts';
import { messageRoles } from './005-message-roles.ts';
import { importRuns } from './006-import-runs.ts';
import { eventFacts } from './007-event-facts.ts';
import { roleOrigins } from './008-role-origins.ts';
import { botReception } from './009-bot-reception.ts';
import { incompleteReasons } from './010-incomplete-reasons.ts';
import { modelHabits } from './011-model-habits.ts';
import type { Migration } from './migration.ts';

/** All versions of the schema, oldest first. A released migration is never changed; a new one follows it. */
export const MIGRATIONS: readonly Migration[] = [
  initial,
  signIn,
  app,
  agentUndos,
  messageRoles,
  importRuns,
  eventFacts,
  roleOrigins,
  botReception,
  incompleteReasons,
  modelHabits,
];
