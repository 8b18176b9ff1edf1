import { api } from '../../api/client.ts';
import { reply } from '../../api/errors.ts';
import type { components } from '../../api/schema.js';

export type ShareLink = components['schemas']['ShareLink'];
export type SharePreview = components['schemas']['SharePreview'];
export type SharedContents = components['schemas']['SharedContents'];
export type SharedItem = components['schemas']['SharedItem'];
export type Warning = SharePreview['warnings'][number];

/** What a link is made of. */
export interface Subject {
  readonly kind: 'folder' | 'file';
  readonly id: string;
}

export interface ShareList {
  readonly items: readonly ShareLink[];
  readonly total: number;
}

/** Links that are shown before more are wanted; also the service's limit of one page. */
export const PAGE = 100;
/** Files that a preview names. */
const MAX_PREVIEWED = 100;

/** The newest `count` links. */
export async function readShares(count: number, signal: AbortSignal): Promise<ShareList> {
  const items: ShareLink[] = [];
  for (;;) {
    const query = { limit: PAGE, offset: items.length };
    const page = await reply(api.GET('/v1/shares', { params: { query }, signal }));
    items.push(...page.items);
    if (page.items.length === 0 || items.length >= Math.min(count, page.total)) {
      // A link that was made meanwhile has moved the others to the next page.
      const once = new Map(items.map((each) => [each.id, each]));
      return { items: [...once.values()], total: page.total };
    }
  }
}

const pathOf = (id: string) => ({ path: { share_id: id } });

export const readShare = (id: string, signal: AbortSignal): Promise<ShareLink> =>
  reply(api.GET('/v1/shares/{share_id}', { params: pathOf(id), signal }));

/** What a visitor sees who has the password. */
export const readContents = (id: string, signal: AbortSignal): Promise<SharedContents> =>
  reply(
    api.GET('/v1/shares/{share_id}/contents', {
      params: { ...pathOf(id), query: { limit: MAX_PREVIEWED } },
      signal,
    }),
  );

export const readPreview = ({ kind, id }: Subject, signal: AbortSignal): Promise<SharePreview> =>
  reply(api.POST('/v1/shares/preview', { body: { kind, resource_id: id }, signal }));

export const endShare = (id: string): Promise<unknown> =>
  reply(api.DELETE('/v1/shares/{share_id}', { params: pathOf(id) }));

/** Whether visitors see anything now. */
export const isShown = ({ state }: ShareLink): boolean => state === 'open' || state === 'locked';

/** Whether it is about something hidden. It is named by no address then, since the history would hold that. */
export const isConcealed = ({ state_reason: reason }: ShareLink): boolean => reason === 'hidden';

export const nameOf = ({ name, resource_name: resource }: ShareLink): string => name || resource;
