import type { Scheduler } from '../../ports/runtime.ts';
import {
  NAMING_LANGUAGES,
  DOCUMENT_CLASSES,
  THEMES,
  type NamingLanguage,
  type DocumentClass,
  type ThemeKind,
} from './concepts.ts';
import { toPlainName } from '../shared/plain-name.ts';
import { groupBy } from './group-by.ts';
import type { FeatureVector } from './feature-vectors.ts';
import type { Lexicon } from './lexicon.ts';
import { themeKindOf } from './named-concepts.ts';
import type { KnownTheme, NewFolder, NewTheme, Plan, ExistingFolder } from './plan-types.ts';
import { findTopics, type Group } from './topics.ts';

const MIN_PER_CLASS = 2;

interface Rest {
  readonly rest: readonly FeatureVector[];
  readonly lexicon: Lexicon;
  readonly shelves: readonly ExistingFolder[];
  readonly themes: readonly KnownTheme[];
  /** Maximum number of folders. */
  readonly most: number;
}

export interface NewFolders extends Plan {
  /** Destination of another object without a match: the new folder of similar objects. */
  homeOf(read: FeatureVector): string | undefined;
}

/** Groups objects without a match into folders by topic, organisation or class, under themes. */
export async function newFolders(scheduler: Scheduler, input: Rest): Promise<NewFolders> {
  const topics = await findTopics(
    scheduler,
    input.rest,
    input.lexicon,
    input.most - sortsAmong(input.rest),
  );
  const taken = new Set(topics.flatMap(({ members }) => members));
  const owner = chiefLanguage(input.rest, 'en');
  const bySort = groupBy(
    input.rest.filter((read) => !taken.has(read)),
    (read) => read.sorts[0],
  );
  const groups: Named[] = topics.map((group) => ({
    ...group,
    theme: themeOfMembers(group.members),
  }));
  for (const sort of Object.keys(DOCUMENT_CLASSES) as DocumentClass[]) {
    const members = bySort.get(sort) ?? [];
    if (members.length < MIN_PER_CLASS) continue;
    const { names, theme } = DOCUMENT_CLASSES[sort];
    groups.push({
      name: names[chiefLanguage(members, owner)],
      members,
      theme,
      draws: (read) => read.sorts[0] === sort,
    });
  }
  return named(groups.slice(0, input.most), input);
}

type Named = Group & { readonly theme: ThemeKind | null };

const sortsAmong = (reads: readonly FeatureVector[]): number =>
  new Set(reads.flatMap(({ sorts }) => sorts.slice(0, 1))).size;

const NAMED = new Set<string>(NAMING_LANGUAGES);

/** The most frequent language of the objects, of those in which folders are named. */
function chiefLanguage(
  members: readonly FeatureVector[],
  otherwise: NamingLanguage,
): NamingLanguage {
  const counts = new Map<NamingLanguage, number>();
  for (const { card } of members)
    if (NAMED.has(card.language)) {
      const language = card.language as NamingLanguage;
      counts.set(language, (counts.get(language) ?? 0) + 1);
    }
  return most(counts) ?? otherwise;
}

/** The most frequent key; of equals the first by name. */
function most<K extends string>(counts: ReadonlyMap<K, number>): K | undefined {
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0]?.[0];
}

function themeOfMembers(members: readonly FeatureVector[]): ThemeKind | null {
  const counts = new Map<ThemeKind, number>();
  for (const { sorts } of members) {
    const theme = sorts[0] && DOCUMENT_CLASSES[sorts[0]].theme;
    if (theme) counts.set(theme, (counts.get(theme) ?? 0) + 1);
  }
  return most(counts) ?? 'personal';
}

/** Names in comparable form. */
const plain = (name: string): string => name.normalize('NFKC').trim().toLowerCase();

/** Assigns each group a theme and a unique name in it. An existing folder is used instead of a new one. */
function named(groups: readonly Named[], { rest, shelves, themes }: Rest): NewFolders {
  const homes: { readonly draws: Group['draws']; readonly key: string }[] = [];
  const blobLocations = new Map<string, string>();
  const folders = new Map<string, NewFolder>();
  const newThemes = new Map<ThemeKind, NewTheme>();
  const byKind = themesByKind(themes);
  const standing = shelvesByName(shelves);
  const language = themeLanguages(groups, rest);
  for (const { members, theme, draws, ...group } of groups) {
    // It may come from the text of a document.
    const name = toPlainName(group.name);
    const there = standing.get(plain(name));
    const key = there ?? `folder:${plain(name)}`;
    homes.push({ draws, key });
    for (const { card } of members) blobLocations.set(card.objectId, key);
    if (there !== undefined || folders.has(key)) continue;
    const known = theme === null ? undefined : byKind.get(theme);
    if (theme && known === undefined && !newThemes.has(theme))
      newThemes.set(theme, {
        key: `theme:${theme}`,
        name: THEMES[theme].names[language(theme)],
        icon: '',
      });
    const created = theme === null ? null : { key: `theme:${theme}` };
    const themeRef = typeof known === 'string' ? { id: known } : created;
    folders.set(key, {
      key,
      name,
      description: '',
      icon: '',
      theme: themeRef,
    });
  }
  return {
    placements: blobLocations,
    folders: [...folders.values()],
    themes: [...newThemes.values()],
    homeOf: (read) => homes.find(({ draws }) => draws(read))?.key,
  };
}

/** For each theme class an existing theme with that meaning. */
function themesByKind(themes: readonly KnownTheme[]): ReadonlyMap<ThemeKind, string> {
  const found = new Map<ThemeKind, string>();
  for (const { id, name } of [...themes].sort((a, b) => (a.id < b.id ? -1 : 1))) {
    const kind = themeKindOf(name);
    if (kind !== null && !found.has(kind)) found.set(kind, id);
  }
  return found;
}

function shelvesByName(shelves: readonly ExistingFolder[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { collectionId, name } of [...shelves].sort((a, b) =>
    a.collectionId < b.collectionId ? -1 : 1,
  ))
    if (!found.has(plain(name))) found.set(plain(name), collectionId);
  return found;
}

function themeLanguages(
  groups: readonly Named[],
  rest: readonly FeatureVector[],
): (theme: ThemeKind) => NamingLanguage {
  const owner = chiefLanguage(rest, 'en');
  const members = groupBy(groups, ({ theme }) => theme);
  return (theme) =>
    chiefLanguage(
      (members.get(theme) ?? []).flatMap((group) => group.members),
      owner,
    );
}
