import type { ObjectFeatures, KnownTheme, ExistingFolder } from '../core/organize/index.ts';

export interface Sample {
  readonly card: ObjectFeatures;
  /** The expected folder, '' for none. */
  readonly folder: string;
  /** Whether it has to be assigned. */
  readonly loose: boolean;
}

/** The objects of one owner, with the expected folder of each. */
export interface Workspace {
  readonly shelves: readonly ExistingFolder[];
  readonly themes: readonly KnownTheme[];
  readonly samples: readonly Sample[];
}

export interface Labelled {
  readonly name: string;
  readonly description?: string;
  readonly theme?: string;
  /**
   * One object per line: `filename | title | docType kind language | keywords | organisations | summary`. A star
   * marks those that are in the folder already.
   */
  readonly lines: string;
}

/** A workspace with existing folders, and objects that need new ones. */
export function workspaceOf(
  existing: readonly Labelled[],
  toBeFound: readonly Labelled[],
): Workspace {
  const shelves = existing.map(({ name, description = '', theme = '' }, i): ExistingFolder => ({
    collectionId: `shelf-${String(i).padStart(2, '0')}`,
    name,
    description,
    themeName: theme,
    themeId: theme === '' ? null : `theme-${theme}`,
  }));
  const names = new Set(existing.map(({ theme = '' }) => theme).filter((name) => name !== ''));
  let created = 0;
  const samplesOf = (
    { name, lines }: Labelled,
    shelf: ExistingFolder | undefined,
  ): readonly Sample[] =>
    lines.split('\n').map((line) => {
      const id = `object-${String((created++ * 7919) % 1000).padStart(4, '0')}`;
      return sampleOf(id, line, name, shelf);
    });
  return {
    shelves,
    themes: [...names].map((name) => ({ id: `theme-${name}`, name })),
    samples: [
      ...existing.flatMap((each, i) => samplesOf(each, shelves[i])),
      ...toBeFound.flatMap((each) => samplesOf(each, undefined)),
    ],
  };
}

const listed = (text = ''): readonly string[] => text.split(', ').filter((each) => each !== '');

function sampleOf(
  objectId: string,
  line: string,
  folder: string,
  shelf: ExistingFolder | undefined,
): Sample {
  const [first = '', title = '', is = '', keywords, organizations, summary = ''] = line.split('|');
  const [docType = 'other', kind = 'other', language = ''] = is.split(' ');
  const lies = first.startsWith('*');
  const card = {
    objectId,
    filename: first.replace('*', ''),
    title,
    summary,
    kind,
    docType,
    language,
    keywords: listed(keywords),
    organizations: listed(organizations),
    collectionId: lies ? (shelf?.collectionId ?? null) : null,
  } as ObjectFeatures;
  return { card, folder, loose: !lies };
}
