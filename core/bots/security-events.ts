import type { Bot } from '../../ports/bots.ts';
import type { SecurityEventInput } from '../security-events/index.ts';

export const botRegistered = (bot: Bot): SecurityEventInput =>
  change(bot, `The bot ${nameOf(bot)} was registered.`, 'registered');

export const botTokenChanged = (bot: Bot): SecurityEventInput =>
  change(bot, `The bot ${nameOf(bot)} got a new token.`, 'token_changed');

/** The owner's reminders go to another chat; undefined if they go where they went. */
export function ownerChatChange(before: Bot, after: Bot): SecurityEventInput | undefined {
  if (before.ownerChatId === after.ownerChatId) return undefined;
  return change(
    after,
    after.ownerChatId === null
      ? `The bot ${nameOf(after)} was blocked in the chat that it sent messages to.`
      : `The bot ${nameOf(after)} sends its messages to another chat, in which the link code was entered.`,
    after.ownerChatId === null ? 'blocked' : 'other_chat',
  );
}

export const botRemoved = (bot: Bot): SecurityEventInput => ({
  kind: 'connection_removed',
  subject: bot.id,
  detail: `The bot ${nameOf(bot)} was removed.`,
  facts: { name: nameOf(bot), effect: 'removed' },
});

type BotEffect = 'registered' | 'token_changed' | 'blocked' | 'other_chat';

const change = (bot: Bot, detail: string, effect: BotEffect): SecurityEventInput => ({
  kind: 'connection_changed',
  subject: bot.id,
  detail,
  facts: { name: nameOf(bot), effect },
});

const nameOf = ({ username }: Bot): string => `@${username}`;
