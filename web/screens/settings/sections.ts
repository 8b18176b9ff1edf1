import type { ComponentType } from 'preact';
import { withStyles } from '../../app/style-sheet.ts';
import { t } from '../../i18n/language.ts';
import type { IconName } from '../../ui/icon.tsx';
import { lazily } from '../../ui/lazily.tsx';

export interface Section {
  /** As in the address. */
  readonly id: string;
  readonly icon: IconName;
  readonly label: () => string;
  readonly content: ComponentType;
  /** An `<aside class="panel">` beside it. */
  readonly panel?: ComponentType;
}

/** The sections of the settings, in the order of the list. */
export const SECTIONS: readonly Section[] = [
  {
    id: 'you',
    icon: 'person',
    label: () => t().settings.sections.you,
    content: lazily(() => withStyles(import('./you/you-section.tsx'), 'data')),
  },
  {
    id: 'look',
    icon: 'look',
    label: () => t().settings.sections.look,
    content: lazily(() => import('./look-section.tsx')),
  },
  {
    id: 'filing',
    icon: 'tidy',
    label: () => t().settings.sections.filing,
    content: lazily(() => import('./filing-section.tsx')),
  },
  {
    id: 'keys',
    icon: 'keyboard',
    label: () => t().settings.sections.keys,
    content: lazily(() => import('./keys-section.tsx')),
  },
  {
    id: 'connections',
    icon: 'link',
    label: () => t().settings.sections.connections,
    content: lazily(() =>
      withStyles(import('./connections/connections-section.tsx'), 'connections'),
    ),
    panel: lazily(() => import('./connections/leaves-panel.tsx')),
  },
  {
    id: 'roles',
    icon: 'agent',
    label: () => t().settings.sections.roles,
    content: lazily(() => withStyles(import('./roles/roles-section.tsx'), 'agent')),
  },
  {
    id: 'bots',
    icon: 'bot',
    label: () => t().settings.sections.bots,
    content: lazily(() => withStyles(import('./bots/bots-section.tsx'), 'data')),
  },
  {
    id: 'office',
    icon: 'office',
    label: () => t().settings.sections.office,
    content: lazily(() => withStyles(import('./office-section.tsx'), 'connections')),
  },
  {
    id: 'hidden',
    icon: 'eyeoff',
    label: () => t().shell.hiddenZone,
    content: lazily(() => import('./hidden/hidden-section.tsx')),
  },
  {
    id: 'security',
    icon: 'key',
    label: () => t().settings.sections.security,
    content: lazily(() => withStyles(import('./security-section.tsx'), 'data')),
  },
  {
    id: 'data',
    icon: 'box',
    label: () => t().settings.sections.data,
    content: lazily(() => withStyles(import('./data/data-section.tsx'), 'data')),
  },
  {
    id: 'usage',
    icon: 'usage',
    label: () => t().settings.sections.usage,
    content: lazily(() => withStyles(import('./usage-section.tsx'), 'data')),
  },
];

/** The section of a path below the app's root: `/settings/look`. The first one without a name. */
export const sectionOf = (path: string): Section | undefined => {
  const name = path.split('/')[2];
  return SECTIONS.find(({ id }) => id === (name || SECTIONS[0]?.id));
};
