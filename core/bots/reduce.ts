import type { MessengerId, MessengerUpdate } from '../../ports/messenger.ts';
import type { Instant } from '../../ports/runtime.ts';
import { leaveGroup, moveGroup } from './groups.ts';
import { cardOf, touchChat, addMember, removeMember, type Registry } from './registry.ts';

/** The range of a date. */
const LAST_INSTANT = Date.UTC(9999, 11, 31);

/** Applies one update of a group to the state. Updates for the bot alone are ignored. */
export function reduce(state: Registry, { updateId, at, event }: MessengerUpdate): void {
  switch (event.type) {
    case 'message': {
      const card = cardOf(state, event.group, updateId);
      if (!card) return;
      const seenAt = momentOf(at, state.now);
      touchChat(state, card, seenAt);
      const sighting = { source: 'message' as const, update: updateId, seenAt };
      if (event.from) addMember(state, card.chatId, event.from, sighting);
      return;
    }
    case 'joined': {
      const card = cardOf(state, event.group, updateId);
      if (!card) return;
      const sighting = { source: 'join' as const, update: updateId, role: 'member' as const };
      for (const person of event.people) addMember(state, card.chatId, person, sighting);
      return;
    }
    case 'left': {
      const card = cardOf(state, event.group, updateId);
      if (card) removeMember(state, card.chatId, event.person, updateId);
      return;
    }
    case 'standing': {
      const { role, person } = event;
      const card = cardOf(state, event.group, updateId);
      if (!card) return;
      if (role === null) return removeMember(state, card.chatId, person, updateId);
      const sighting = { source: 'member_update' as const, update: updateId, role };
      return addMember(state, card.chatId, person, sighting);
    }
    case 'own_standing':
      if (event.role === null) return leaveGroup(state, event.group, updateId);
      return void cardOf(state, event.group, updateId);
    case 'moved':
      return moveGroup(state, event.from, event.to, updateId);
    case 'private':
    case 'blocked':
    case 'other':
      return;
  }
}

const momentOf = (at: Instant | null, now: Instant): Instant =>
  at !== null && at >= 0 && at <= LAST_INSTANT ? at : now;

/** The groups that an update mentions. */
export function groupsOf({ event }: MessengerUpdate): readonly MessengerId[] {
  if (event.type === 'moved') return [event.from, event.to.chatId];
  return 'group' in event ? [event.group.chatId] : [];
}

/** The people that an update mentions. */
export function peopleOf({ event }: MessengerUpdate): readonly MessengerId[] {
  if (event.type === 'message') return event.from ? [event.from.userId] : [];
  if (event.type === 'joined') return event.people.map(({ userId }) => userId);
  return event.type === 'left' || event.type === 'standing' ? [event.person.userId] : [];
}

/** Whether all known members of its groups have to be loaded. */
export const needsAllMembers = ({ event }: MessengerUpdate): boolean =>
  event.type === 'moved' || (event.type === 'own_standing' && event.role === null);
