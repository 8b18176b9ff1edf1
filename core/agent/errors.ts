import { defineError } from '../shared/errors.ts';

const disabled = defineError(
  'unavailable',
  'agent_disabled',
  'The agent is switched off here, or no model is connected. Ask a question instead.',
);

/** Nothing changes by itself: whoever repeats it nevertheless may do so in an hour. */
const RETRY_SECONDS = 3600;

export const agentDisabled = () => disabled({}, RETRY_SECONDS);
