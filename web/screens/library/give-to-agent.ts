import { to } from '../../app/address.ts';
import { agentGiven } from '../../state/agent-given.ts';
import type { ListModel } from './list-model.ts';

/** A message to the agent can name this many. */
const MAX_GIVEN = 50;

/** The agent is not offered for what is hidden. */
export function canGiveToAgent(model: ListModel): boolean {
  const items = model.targetItems();
  return items.length > 0 && !items.some(({ is_hidden: isHidden }) => isHidden);
}

/** Begins a conversation with the agent about the selection, or about the current document. */
export function giveToAgent(model: ListModel, go: (address: string) => void): void {
  agentGiven.value = model
    .targetItems()
    .slice(0, MAX_GIVEN)
    .map(({ id, display_name: name }) => ({ id, name }));
  go(to('/agent'));
}
