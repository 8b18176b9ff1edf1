import { api } from '../api/client.ts';
import { reply } from '../api/errors.ts';
import { withoutZone } from '../api/request.ts';
import type { components } from '../api/schema.js';
import { useResource, type Resource } from './resource.ts';
import { noteChange } from './live.ts';

export type ChatCard = components['schemas']['ChatCard'];
type ChatChanges = Partial<Pick<ChatCard, 'title' | 'pinned' | 'collection_id'>>;

/** Shown in the rail: the pinned ones and the latest. */
const MAX_CHATS = 60;

/** With questions, or with the agent. */
export type ChatKind = 'ask' | 'agent';

/**
 * Conversations of one kind: pinned ones first, then by last change. Those with the agent are never about what is hidden,
 * also while the hidden zone is open.
 */
export const useChats = (kind: ChatKind): Resource<readonly ChatCard[]> =>
  useResource(
    `chats ${kind}`,
    async (signal) => {
      const params = { query: { kind, limit: MAX_CHATS } };
      const over = kind === 'agent' ? { fetch: withoutZone } : {};
      return (await reply(api.GET('/v1/chats', { params, signal, ...over }))).items;
    },
    ['chats'],
  );

/** Renames, pins or moves a conversation. */
export async function changeChat(id: string, changes: ChatChanges): Promise<void> {
  const { collection_id: folder, ...rest } = changes;
  const body = { ...rest, ...(folder !== undefined && { collection_id: folder ?? ('' as const) }) };
  await reply(api.PATCH('/v1/chats/{chat_id}', { params: { path: { chat_id: id } }, body }));
  noteChange('chats');
}

export async function deleteChat(id: string): Promise<void> {
  await reply(api.DELETE('/v1/chats/{chat_id}', { params: { path: { chat_id: id } } }));
  noteChange('chats');
}
