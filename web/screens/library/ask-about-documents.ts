import { ZONE_PATH } from '../../app/zone/zone-location.ts';
import { to } from '../../app/address.ts';
import { askAbout } from '../../state/ask-about.ts';
import { zoneUrl } from '../../state/zone.ts';
import type { ListModel } from './list-model.ts';

/** Begins a conversation about the selection, or about the current document. About hidden ones it is inside the zone. */
export function askAboutDocuments(model: ListModel, go: (address: string) => void): void {
  const items = model.targetItems();
  askAbout.value = { documents: items.map(({ id, display_name: name }) => ({ id, name })) };
  if (!items.some(({ is_hidden: isHidden }) => isHidden)) return go(to('/ask'));
  go(ZONE_PATH);
  zoneUrl.value = to('/ask');
}
