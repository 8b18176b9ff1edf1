import type { Plan } from '../core/organize/index.ts';
import type { Sample, Workspace } from './organize-set.ts';

export interface Figures {
  /** Precision for existing folders. */
  readonly precision: number;
  /** Recall for existing folders. */
  readonly recall: number;
  /** Purity of new folders: the share of members with the most frequent label of their folder. */
  readonly purity: number;
  /** Recall for new folders. */
  readonly found: number;
  readonly wrong: readonly { readonly sample: Sample; readonly at: string }[];
}

export function figuresOf({ samples, shelves }: Workspace, plan: Plan): Figures {
  const nameAt = new Map([
    ...shelves.map((each) => [each.collectionId, each.name] as const),
    ...plan.folders.map((each) => [each.key, each.name] as const),
  ]);
  const standing = new Set(shelves.map((each) => each.collectionId));
  const names = new Set(shelves.map((each) => each.name));
  const loose = samples.filter((each) => each.loose);
  const at = (each: Sample): string => plan.placements.get(each.card.objectId) ?? '';
  const nameOf = (each: Sample): string => nameAt.get(at(each)) ?? '';
  const fitted = loose.filter((each) => standing.has(at(each)));
  const rightly = fitted.filter((each) => nameOf(each) === each.folder).length;
  const belonging = loose.filter((each) => names.has(each.folder)).length;
  const grouped = loose.filter((each) => at(each) !== '' && !standing.has(at(each)));
  const pure = [...Map.groupBy(grouped, at).values()].reduce((sum, members) => {
    const labels = Map.groupBy(members, (each) => each.folder);
    labels.delete('');
    return sum + Math.max(0, ...[...labels.values()].map((list) => list.length));
  }, 0);
  const findable = loose.filter((each) => each.folder !== '' && !names.has(each.folder));
  return {
    precision: rightly / fitted.length,
    recall: rightly / belonging,
    purity: pure / grouped.length,
    found: findable.filter((each) => grouped.includes(each)).length / findable.length,
    wrong: loose
      .filter((each) => nameOf(each) !== each.folder)
      .map((sample) => ({ sample, at: nameOf(sample) })),
  };
}
