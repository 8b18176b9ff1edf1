import type { OwnKeysText } from '../messages.ts';

export const ownKeys: OwnKeysText = {
  change: 'Modifier',
  changeOf: (action: string) => `Modifier la touche : ${action}`,
  reset: 'Touche habituelle',
  resetOf: (action: string) => `Rétablir la touche habituelle : ${action}`,
  press: 'Appuyez sur une touche. Échap ne change rien.',
  pressNext: (key: string) => `${key}, puis la touche suivante`,
  usedBy: (action: string, screen?: string) =>
    `Cette touche est déjà utilisée : ${action}${screen === undefined ? '' : ` (${screen})`}`,
  elsewhere:
    'Les touches des listes, des documents et du calendrier se modifient dans leur aide (?).',
};
