const successors = new Map<string, string>();

/** What was deleted has been made again under another id. Changes from before are undone on that one. */
export const noteSuccessor = (id: string, by: string): void => void successors.set(id, by);

/** The id of what had this one. */
export function currentId(id: string): string {
  let current = id;
  for (let next = successors.get(id); next !== undefined; next = successors.get(current))
    current = next;
  return current;
}
