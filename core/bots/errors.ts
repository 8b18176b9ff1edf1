import { defineError } from '../shared/errors.ts';

export const botExists = defineError(
  'conflict',
  'bot_exists',
  'This bot is registered by somebody else already.',
);
export const tooManyBots = defineError(
  'conflict',
  'too_many_bots',
  'No more bots can be registered. Remove one first.',
);
export const botNotInChat = defineError(
  'conflict',
  'bot_not_in_chat',
  'The platform does not tell this bot of the group: it is not in it, or may not look.',
);
export const botRefused = defineError(
  'conflict',
  'bot_refused',
  'The platform does not accept the token of this bot any more. Register it again with its new one.',
);
const platformFailed = defineError(
  'upstream-failed',
  'upstream_failed',
  'The platform refused the request.',
);

/** `reason` is a sentence for a person that holds nothing secret. */
export const platformRefused = (reason: string) => platformFailed({}, undefined, reason);
