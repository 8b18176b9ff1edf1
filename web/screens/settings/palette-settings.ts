import { to } from '../../app/address.ts';
import { messageOf } from '../../i18n/errors.ts';
import { LANGUAGE_NAMES, LANGUAGES } from '../../i18n/language.ts';
import { settingsText } from '../../i18n/settings-text.ts';
import type { Choice, Go } from '../../keys/palette-choice.ts';
import { hasSingleKeys } from '../../state/preferences.ts';
import { changeLook, changeSettings } from '../../state/settings.ts';
import { toast } from '../../ui/toasts.tsx';
import { SECTIONS } from './sections.ts';

/** What the sections have, by the name of its text. */
const PARTS = new Map([
  ['you', ['sessions', 'passkeys', 'password', 'tokens']],
  ['look', ['language', 'zone', 'scheme', 'density']],
  ['filing', ['renaming', 'conversations']],
  ['keys', ['singleKeys']],
  ['usage', ['usage', 'invitation', 'reference', 'health']],
] as const);

/** The settings as the palette offers them: the sections, what is in them, and choices that are made at once. */
export const settingChoices = (go: Go): readonly Choice[] => [
  ...SECTIONS.map(({ id, icon, label }) => ({
    id: `settings-${id}`,
    icon,
    label: label(),
    run: () => go(to(`/settings/${id}`)),
  })),
  ...SECTIONS.flatMap(({ id, icon, label }) =>
    parts(id).map((part) => ({
      id: `settings-${id}-${part}`,
      icon,
      label: settingsText()[part],
      detail: label(),
      run: () => go(to(`/settings/${id}`)),
    })),
  ),
  ...immediateChoices(),
];

const parts = (id: string) => [...PARTS].find(([section]) => section === id)?.[1] ?? [];

function immediateChoices(): readonly Choice[] {
  const text = settingsText();
  const choice = (
    id: string,
    name: string,
    value: string,
    change: () => Promise<void>,
  ): Choice => ({
    id: `set-${id}`,
    icon: 'check',
    label: `${name}: ${value}`,
    run: () => void change().catch((error: unknown) => toast(messageOf(error))),
  });
  return [
    ...(['auto', 'light', 'dark'] as const).map((scheme) =>
      choice(scheme, text.scheme, text.schemes[scheme], () =>
        changeLook({ scheme: scheme === 'auto' ? undefined : scheme }),
      ),
    ),
    ...(['roomy', 'dense'] as const).map((density) =>
      choice(density, text.density, text.densities[density], () =>
        changeLook({ dense: density === 'dense' ? true : undefined }),
      ),
    ),
    ...LANGUAGES.map((language) =>
      choice(language, text.language, LANGUAGE_NAMES[language], () => changeLook({ language })),
    ),
    ...(['auto', 'suggest', 'dont_rename'] as const).map((mode) =>
      choice(mode, text.renaming, text.renamingOf[mode], () =>
        changeSettings({ auto_rename_mode: mode }),
      ),
    ),
    choice('single-keys', text.singleKeys, hasSingleKeys.value ? text.turnOff : text.turnOn, () =>
      changeLook({ single_keys: hasSingleKeys.value ? false : undefined }),
    ),
  ];
}
