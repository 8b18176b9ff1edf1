import type { Messages } from '../messages.ts';
import { pluralOf } from '../plural.ts';

const plural = pluralOf('de');

export const shell: Messages['shell'] = {
  product: 'Owner Workspace',
  workspace: 'Arbeitsbereich',
  skip: 'Zum Inhalt springen',
  places: {
    library: 'Bibliothek',
    ask: 'Fragen',
    agent: 'Agent',
    calendar: 'Kalender',
    shares: 'Freigaben',
    notifications: 'Mitteilungen',
    trash: 'Papierkorb',
    settings: 'Einstellungen',
  },
  more: 'Mehr',
  unread: (count: number) => `Mitteilungen: ${count} ungelesen`,
  goTo: (place: string) => `Gehe zu ${place}`,
  firstSteps: 'Die ersten fünf Minuten',
  search: 'Im Arbeitsbereich suchen',
  searchHint: 'Suchen oder eine Frage stellen',
  palette: 'Befehlspalette öffnen',
  add: 'Hinzufügen',
  account: (name: string) => `${name}: Konto`,
  hiddenZone: 'Verborgener Bereich',
  signOut: 'Abmelden',
  signOutTitle: 'Abmelden?',
  unsentFiles: (count: number) =>
    plural(count, {
      one: '# Datei wurde noch nicht gesendet. Beim Abmelden wird sie aus diesem Browser gelöscht.',
      other:
        '# Dateien wurden noch nicht gesendet. Beim Abmelden werden sie aus diesem Browser gelöscht.',
    }),
  undo: 'Rückgängig',
  undone: (change: string) => `Rückgängig gemacht: ${change}`,
  dismiss: 'Ausblenden',
  close: 'Schließen',
  cancel: 'Abbrechen',
  tryAgain: 'Erneut versuchen',
  loading: 'Wird geladen',
  notFound: 'Nicht gefunden',
  notFoundHere: 'Unter dieser Adresse ist nichts.',
};
