import { effect, signal } from '@preact/signals';
import { api } from '../api/client.ts';
import { reply } from '../api/errors.ts';
import type { components } from '../api/schema.js';
import { isDrawn } from '../state/drawn.ts';
import { isSignedIn } from '../state/session-state.ts';
import { revisionOf } from './live.ts';
import { listingKey, type Listing } from './object-filters.ts';

export type SavedView = components['schemas']['SavedView'];

/** Lists that the owner has given a name, by position. */
export const views = signal<readonly SavedView[]>([]);

/** A failure leaves them as they were: views are a way to the library, which says itself what failed. */
export async function loadViews(): Promise<void> {
  const { data } = await api.GET('/v1/views').catch(() => ({ data: undefined }));
  if (data) views.value = data.items;
}

export const viewOf = (listing: Listing): SavedView | undefined =>
  views.value.find((view) => listingKey(view) === listingKey(listing));

/** Without a position it comes last. */
export async function saveView(
  name: string,
  { filters, order, position }: Listing & Partial<Pick<SavedView, 'position'>>,
): Promise<SavedView> {
  const body = { name, filters, order, ...(position !== undefined && { position }) };
  const view = await reply(api.POST('/v1/views', { body }));
  await loadViews();
  return view;
}

export async function renameView(id: string, name: string): Promise<void> {
  const params = { path: { view_id: id } };
  await reply(api.PATCH('/v1/views/{view_id}', { params, body: { name } }));
  await loadViews();
}

/** Moves a view by some places, and gives the views that stood elsewhere their new positions. */
export async function moveView(id: string, by: number): Promise<void> {
  const from = views.value.findIndex((view) => view.id === id);
  const moved = views.value[from];
  if (!moved) return;
  const order = views.value.filter((view) => view !== moved);
  order.splice(Math.max(0, from + by), 0, moved);
  for (const [position, view] of order.entries()) {
    if (view.position === position) continue;
    const params = { path: { view_id: view.id } };
    await reply(api.PATCH('/v1/views/{view_id}', { params, body: { position } }));
  }
  await loadViews();
}

export async function removeView(id: string): Promise<void> {
  await reply(api.DELETE('/v1/views/{view_id}', { params: { path: { view_id: id } } }));
  await loadViews();
}

effect(() => {
  // Read, so that every change of the views loads them again.
  const revision = revisionOf('views').value;
  if (isSignedIn.value && isDrawn.value && revision >= 0) void loadViews();
});
