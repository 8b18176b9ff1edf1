import type { ImageOperationStore, PendingImageOperation } from '../../ports/image-operations.ts';
import type { Tables } from './database.ts';

type Placed = PendingImageOperation & { readonly ord: number };

const ended = ({ state }: PendingImageOperation): boolean => state === 'done' || state === 'failed';

const withoutPosition = ({ ord: _, ...operation }: Placed): PendingImageOperation => operation;

export function memoryImageOperations({ imageOperations, objects }: Tables): ImageOperationStore {
  const all = () => imageOperations.values();
  const ofHidden = ({ objectId }: Placed) => objects.get(objectId)?.isHidden === true;
  return {
    find: async (id) => {
      const found = imageOperations.get(id);
      return found && withoutPosition(found);
    },
    next: async (objectId) => {
      const [first] = all()
        .filter((each) => each.objectId === objectId && !ended(each))
        .sort((a, b) => a.ord - b.ord);
      return first && withoutPosition(first);
    },
    waiting: async (sight) =>
      all().filter((each) => !ended(each) && (sight === 'any' || !ofHidden(each))).length,
    save: async (operation) => {
      const ord =
        imageOperations.get(operation.id)?.ord ??
        1 + all().reduce((last, each) => Math.max(last, each.ord), 0);
      imageOperations.set(operation.id, Object.freeze({ ...operation, ord }));
    },
    prune: async (before, keep) => {
      const over = all().filter(ended);
      const old = over.filter(({ updatedAt }) => updatedAt < before);
      const rest = over
        .filter(({ updatedAt }) => updatedAt >= before)
        .sort((a, b) => b.ord - a.ord);
      const past = [true, false].flatMap((hidden) =>
        rest.filter((each) => ofHidden(each) === hidden).slice(keep),
      );
      for (const { id } of [...old, ...past]) imageOperations.delete(id);
    },
    forgetObject: async (objectId) => {
      for (const each of all()) if (each.objectId === objectId) imageOperations.delete(each.id);
    },
  };
}
