import { signal } from '@preact/signals';
import { api } from '../api/client.ts';
import { reply } from '../api/errors.ts';
import type { components } from '../api/schema.js';
import {
  browserLanguage,
  hasLanguage,
  LANGUAGES,
  language,
  setLanguage,
} from '../i18n/language.ts';
import type { Language } from '../i18n/plural.ts';
import { isSingleKey } from '../keys/single-key.ts';
import {
  colourScheme,
  deviceZone,
  hasSingleKeys,
  isDense,
  ownKeys,
  timeZone,
} from './preferences.ts';

export type Settings = components['schemas']['Settings'];
export type SettingsChange = Partial<
  Pick<Settings, 'auto_rename_mode' | 'chat_memory' | 'timezone'>
>;

/** What the app stores of its own in `ui`. Absent: the browser's language and zone, and what is usual. */
export interface Look {
  readonly language?: Language;
  readonly scheme?: 'light' | 'dark';
  readonly dense?: boolean;
  readonly single_keys?: boolean;
  /** Keys by the id of their action. */
  readonly keys?: Readonly<Record<string, string>>;
  /** A zone was chosen; the service has UTC for owners who never did. */
  readonly has_zone?: boolean;
  /** The first steps are done, or were put off. */
  readonly welcome?: 'done' | 'not_now';
  /** The calendar has a secret address, which was shown once. */
  readonly calendar_feed?: boolean;
}

/** The owner's settings; undefined until they are read. */
export const settings = signal<Settings | undefined>(undefined);

/** Reads and applies them. A failure leaves the app as the browser wants it. */
export async function loadSettings(): Promise<void> {
  const { data } = await api.GET('/v1/settings').catch(() => ({ data: undefined }));
  if (data) await apply(data);
}

export async function readSettings(): Promise<void> {
  await apply(await reply(api.GET('/v1/settings')));
}

export async function changeSettings(change: SettingsChange): Promise<void> {
  await apply(await reply(api.PUT('/v1/settings', { body: change })));
}

/** Changes what the app stores; `undefined` takes a choice back. Parts of other devices stay as they are. */
export async function changeLook(
  look: { readonly [K in keyof Look]: Look[K] | undefined },
  change: SettingsChange = {},
): Promise<void> {
  const { ui } = await reply(api.GET('/v1/settings'));
  const body = { ...change, ui: { ...ui, ...look } };
  await apply(await reply(api.PUT('/v1/settings', { body })));
}

export const lookOf = ({ ui }: Settings): Look => ui;

/** What is stored may be of another version of the app. */
const keysIn = (stored: unknown): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(stored ?? {}).filter((each): each is [string, string] => isSingleKey(each[1])),
  );

async function apply(read: Settings): Promise<void> {
  const look = lookOf(read);
  settings.value = read;
  colourScheme.value = look.scheme ?? 'auto';
  isDense.value = look.dense === true;
  hasSingleKeys.value = look.single_keys !== false;
  ownKeys.value = keysIn(look.keys);
  const hasZone = look.has_zone === true || read.timezone !== 'UTC';
  timeZone.value = hasZone ? read.timezone : deviceZone;
  const chosen = LANGUAGES.find((each) => each === look.language) ?? browserLanguage();
  if (chosen !== language.peek() || !hasLanguage()) await setLanguage(chosen);
}
