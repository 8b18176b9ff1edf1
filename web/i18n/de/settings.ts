import type { Messages } from '../messages.ts';

export const settings: Messages['settings'] = {
  sections: {
    you: 'Du und deine Geräte',
    look: 'Sprache und Aussehen',
    filing: 'Namen und Ablage',
    keys: 'Tastatur',
    connections: 'Verbindungen',
    roles: 'Rollen des Agenten',
    bots: 'Bots',
    office: 'Office-Editor',
    security: 'Sicherheit',
    data: 'Deine Daten',
    usage: 'Nutzung und Zustand',
  },
};
