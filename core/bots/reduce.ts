import type { MessengerId, MessengerUpdate } from '../../ports/messenger.ts';
import type { Instant } from '../../ports/time-and-ids.ts';
import { leaveGroup, moveGroup } from './groups.ts';
import { cardOf, heardIn, knowMember, missMember, type Registry } from './registry.ts';

/** The range of a date. */
const LAST_INSTANT = Date.UTC(9999, 11, 31);

/** Applies one update of a group to the state. Updates for the bot alone are ignored. */
export function reduce(state: Registry, { updateId, at, news }: MessengerUpdate): void {
  switch (news.type) {
    case 'message': {
      const card = cardOf(state, news.group, updateId);
      if (!card) return;
      const heardAt = momentOf(at, state.now);
      heardIn(state, card, heardAt);
      const sighting = { source: 'message' as const, update: updateId, heardAt };
      if (news.from) knowMember(state, card.chatId, news.from, sighting);
      return;
    }
    case 'joined': {
      const card = cardOf(state, news.group, updateId);
      if (!card) return;
      const sighting = { source: 'join' as const, update: updateId, role: 'member' as const };
      for (const person of news.people) knowMember(state, card.chatId, person, sighting);
      return;
    }
    case 'left': {
      const card = cardOf(state, news.group, updateId);
      if (card) missMember(state, card.chatId, news.person, updateId);
      return;
    }
    case 'standing': {
      const { role, person } = news;
      const card = cardOf(state, news.group, updateId);
      if (!card) return;
      if (role === null) return missMember(state, card.chatId, person, updateId);
      const sighting = { source: 'member_update' as const, update: updateId, role };
      return knowMember(state, card.chatId, person, sighting);
    }
    case 'own_standing':
      if (news.role === null) return leaveGroup(state, news.group, updateId);
      return void cardOf(state, news.group, updateId);
    case 'moved':
      return moveGroup(state, news.from, news.to, updateId);
    case 'private':
    case 'blocked':
    case 'other':
      return;
  }
}

const momentOf = (at: Instant | null, now: Instant): Instant =>
  at !== null && at >= 0 && at <= LAST_INSTANT ? at : now;

/** The groups that an update mentions. */
export function groupsOf({ news }: MessengerUpdate): readonly MessengerId[] {
  if (news.type === 'moved') return [news.from, news.to.chatId];
  return 'group' in news ? [news.group.chatId] : [];
}

/** The people that an update mentions. */
export function peopleOf({ news }: MessengerUpdate): readonly MessengerId[] {
  if (news.type === 'message') return news.from ? [news.from.userId] : [];
  if (news.type === 'joined') return news.people.map(({ userId }) => userId);
  return news.type === 'left' || news.type === 'standing' ? [news.person.userId] : [];
}

/** Whether all known members of its groups have to be loaded. */
export const needsEverybody = ({ news }: MessengerUpdate): boolean =>
  news.type === 'moved' || (news.type === 'own_standing' && news.role === null);
