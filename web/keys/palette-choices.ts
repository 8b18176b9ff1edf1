import { to } from '../app/address.ts';
import { api } from '../api/client.ts';
import { reply } from '../api/errors.ts';
import { folders, themes } from '../data/folders.ts';
import { t } from '../i18n/search.ts';
import { askAbout } from '../state/ask-about.ts';
import { whileUnlocked } from '../state/zone-token.ts';
import type { Action } from './action.ts';
import type { Choice, Go } from './palette-choice.ts';

export interface Section {
  readonly id: 'documents' | 'folders' | 'actions' | 'labels' | 'events' | 'settings' | 'ask';
  readonly choices: readonly Choice[];
}

/** `>` actions, `/` folders and themes, `#` labels, `@` people and firms, `:` events, `!` settings, `?` ask. */
export type Prefix = '>' | '/' | '#' | '@' | ':' | '!' | '?' | '';

export interface Typed {
  readonly prefix: Prefix;
  readonly words: string;
}

const BEST = 5;
const BEST_OF_ONE = 12;
const RECENT_DAYS = 30;

export function typedOf(text: string): Typed {
  const prefix = (/^[>/#@:!?]/.exec(text)?.[0] ?? '') as Prefix;
  return { prefix, words: text.slice(prefix.length).trim() };
}

const limitOf = ({ prefix }: Typed): number => (prefix === '' ? BEST : BEST_OF_ONE);

/** What is known without a request. */
export function localSections(
  typed: Typed,
  actions: readonly Action[],
  go: Go,
): readonly Section[] {
  const { prefix, words } = typed;
  const sections: Section[] = [];
  if (prefix === '' || prefix === '/')
    sections.push({ id: 'folders', choices: best(folderChoices(go), typed) });
  if (prefix === '' || prefix === '>')
    sections.push({ id: 'actions', choices: best(actionChoices(actions), typed) });
  if (prefix === '#' && words !== '')
    sections.push({ id: 'labels', choices: [labelChoice(words, go)] });
  if (words !== '' && (prefix === '' || prefix === '?'))
    sections.push({ id: 'ask', choices: [askChoice(words, go)] });
  return sections;
}

/** What the service is requested for. */
export async function remoteSections(
  typed: Typed,
  go: Go,
  signal: AbortSignal,
): Promise<readonly Section[]> {
  const { prefix, words } = typed;
  if (prefix === '?') return [await recentQuestions(words, go, signal)];
  if (prefix === '!') {
    const { settingChoices } = await import('../screens/settings/palette-settings.ts');
    return [{ id: 'settings', choices: best(settingChoices(go), typed) }];
  }
  if (prefix === ':') {
    const { eventChoices } = await import('../screens/calendar/palette-events.ts');
    return [{ id: 'events', choices: await eventChoices(words, go, signal) }];
  }
  if (words === '' || prefix === '>' || prefix === '/') return [];
  const q = prefix === '@' ? `"${words.replaceAll('"', '')}"` : words;
  const query = {
    q,
    limit: prefix === '#' ? 50 : limitOf(typed),
    // A label would be in the address of its list, so those of hidden documents are not offered.
    ...(prefix !== '#' && whileUnlocked() && { include_hidden: true }),
  };
  const { items } = await reply(api.GET('/v1/search', { params: { query }, signal }));
  if (prefix !== '#')
    return [
      {
        id: 'documents',
        choices: items.map(({ object, snippet, char_start: from, char_end: until }) => ({
          id: `object-${object.id}`,
          icon: 'library',
          label: object.display_name,
          ...(object.collection_name !== null && { detail: object.collection_name }),
          run: () => go(to(`/object/${object.id}${snippet === '' ? '' : `#t=${from}-${until}`}`)),
        })),
      },
    ];
  const labels = new Set(items.flatMap(({ object }) => object.categories));
  const found = [...labels].map((label) => labelChoice(label, go));
  return [{ id: 'labels', choices: best(found, typed) }];
}

async function recentQuestions(words: string, go: Go, signal: AbortSignal): Promise<Section> {
  const query = { days: RECENT_DAYS, limit: 50 };
  const { items } = await reply(api.GET('/v1/recent-queries', { params: { query }, signal }));
  const choices = items.map((each, nth) => ({
    id: `query-${nth}`,
    icon: 'history' as const,
    label: each.query,
    run: () => go(to(`/ask/${each.session_id}`)),
  }));
  return { id: 'ask', choices: best(choices, { prefix: '', words }) };
}

const folderChoices = (go: Go): readonly Choice[] => [
  ...folders.value.map(({ id, name }) => ({
    id: `folder-${id}`,
    icon: 'folder' as const,
    label: name,
    run: () => go(to(`/folder/${id}`)),
  })),
  ...themes.value.map(({ id, name }) => ({
    id: `theme-${id}`,
    icon: 'list' as const,
    label: name,
    run: () => go(to(`/theme/${id}`)),
  })),
];

const actionChoices = (actions: readonly Action[]): readonly Choice[] =>
  actions
    .filter(({ notInPalette, isEnabled }) => !notInPalette && isEnabled?.() !== false)
    .map((action) => ({
      id: `action-${action.id}`,
      icon: 'right' as const,
      label: action.label(),
      ...(action.keys && { keys: action.keys }),
      run: () => action.run(),
    }));

const labelChoice = (label: string, go: Go): Choice => ({
  id: `label-${label}`,
  icon: 'tag',
  label,
  run: () => go(to(`/library?category=${encodeURIComponent(label)}`)),
});

const askChoice = (question: string, go: Go): Choice => ({
  id: 'ask',
  icon: 'ask',
  label: t().search.askQuestion(question),
  run: () => {
    askAbout.value = { question };
    go(to('/ask'));
  },
});

/** Those whose name begins with the words first, then those in which a word begins with them, then the others. */
function best(choices: readonly Choice[], typed: Typed): readonly Choice[] {
  const wanted = typed.words.toLocaleLowerCase();
  return choices
    .map((choice) => ({ choice, rank: rankOf(choice.label.toLocaleLowerCase(), wanted) }))
    .filter(({ rank }) => rank < UNFIT)
    .sort((a, b) => a.rank - b.rank)
    .slice(0, limitOf(typed))
    .map(({ choice }) => choice);
}

const UNFIT = 3;

const rankOf = (label: string, wanted: string): number => {
  if (label.startsWith(wanted)) return 0;
  const at = label.indexOf(wanted);
  if (at === -1) return UNFIT;
  return /[\s\p{P}]/u.test(label[at - 1] ?? '') ? 1 : 2;
};
