import { defineError } from '../shared/errors.ts';

export const botExists = defineError(
  'conflict',
  'bot_exists',
  'This bot is registered by another owner.',
);
export const tooManyBots = defineError(
  'conflict',
  'too_many_bots',
  'The maximum number of bots is registered. Remove one first.',
);
export const botNotInChat = defineError(
  'conflict',
  'bot_not_in_chat',
  'The platform gives this bot no information about the group: the bot is not a member, or lacks the permission.',
);
export const botTokenRejected = defineError(
  'conflict',
  'bot_token_rejected',
  'The platform no longer accepts the token of this bot. Register the bot again with its new token.',
);
const platformFailed = defineError(
  'upstream-failed',
  'upstream_failed',
  'The platform rejected the request.',
);

/** `reason` is a sentence for the user that contains nothing secret. */
export const platformRejected = (reason: string) => platformFailed({}, undefined, reason);
