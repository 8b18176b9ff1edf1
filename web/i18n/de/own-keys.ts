import type { OwnKeysText } from '../messages.ts';

export const ownKeys: OwnKeysText = {
  change: 'Ändern',
  changeOf: (action: string) => `Taste ändern: ${action}`,
  reset: 'Wie üblich',
  resetOf: (action: string) => `Wieder die übliche Taste: ${action}`,
  press: 'Drücke eine Taste. Esc lässt sie, wie sie ist.',
  pressNext: (key: string) => `${key}, und nun die nächste Taste`,
  usedBy: (action: string, screen?: string) =>
    `Diese Taste ist vergeben: ${action}${screen === undefined ? '' : ` (${screen})`}`,
  elsewhere: 'Tasten von Listen, Dokumenten und Kalender änderst du in ihrer Hilfe (?).',
};
