import { to } from '../../app/address.ts';
import type { ListModel } from './list-model.ts';

/**
 * Where a link to what the list acts on is made: to one document, or to a folder. Ids only, since addresses are remembered.
 * Undefined if there is nothing to share, or if something of it is hidden.
 */
export function shareAddress(model: ListModel): string | undefined {
  const items = model.targetItems();
  const folder = model.listing.filters.collection_id;
  if (items.some(({ is_hidden: isHidden }) => isHidden)) return undefined;
  const [first] = items;
  if (!first) return folder && to(`/shares/new?folder=${folder}`);
  if (model.selectedCount.value < 2) return to(`/shares/new?object=${first.id}`);
  const common = items.every(({ collection_id: id }) => id === first.collection_id);
  const shared = common && first.collection_id;
  return to(`/shares/new?several${shared ? `&folder=${shared}` : ''}`);
}
