import { defineError } from '../shared/errors.ts';

const disabled = defineError(
  'unavailable',
  'agent_disabled',
  'The agent is disabled, or no model is connected. Ask a question instead.',
);

/** The state does not change by itself, so clients are told to retry after an hour. */
const RETRY_SECONDS = 3600;

export const agentDisabled = () => disabled({}, RETRY_SECONDS);
