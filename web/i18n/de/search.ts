import type { Messages } from '../messages.ts';
import { pluralOf } from '../plural.ts';

const plural = pluralOf('de');

export const search: Messages['search'] = {
  resultsFor: (query: string) => `Ergebnisse für „${query}“`,
  results: 'Ergebnisse',
  found: (count: number) =>
    plural(count, { one: '# Dokument gefunden', other: '# Dokumente gefunden' }),
  searching: 'Suche läuft',
  askThis: 'Das fragen',
  inItsName: 'Die Wörter stehen im Namen.',
  more: 'Mehr zeigen',
  nothing: 'Kein Dokument passt.',
  nothingIn: 'Kein Dokument enthält diese Wörter, weder im Namen noch im Text.',
  dropHint: 'Mit weniger wird das gefunden:',
  withoutWord: (word: string) => `Ohne „${word}“`,
  withoutFilter: (filter: string) => `Ohne den Filter ${filter}`,
  asWords: (phrase: string) => `${phrase} als einzelne Wörter`,
  asBeginning: (word: string) => `Wörter, die mit „${word}“ beginnen`,
  documents: (count: number) => plural(count, { one: '# Dokument', other: '# Dokumente' }),
  noneSuggested: 'Andere Wörter finden es vielleicht. Was noch gelesen wird, wird später gefunden.',
  filters: {
    kind: 'Art',
    doc_type: 'Typ',
    collection_id: 'Ordner',
    theme_id: 'Thema',
    uncategorized: 'in keinem Ordner',
    is_link: 'Links',
    notes_only: 'Notizen',
    status: 'Zustand',
    category: 'Schlagwort',
    has_suggestion: 'Vorschlag',
    created_from: 'hinzugefügt ab',
    created_to: 'hinzugefügt bis',
  },
  paletteTitle: 'Befehlspalette',
  paletteHint: 'Ein Name, oder > / # @ : ! ?',
  paletteEmpty: 'Nichts gefunden.',
  paletteCount: (count: number) =>
    plural(count, { one: '# Möglichkeit', other: '# Möglichkeiten' }),
  sections: {
    documents: 'Dokumente',
    folders: 'Ordner und Themen',
    actions: 'Aktionen',
    labels: 'Schlagwörter',
    events: 'Termine',
    settings: 'Einstellungen',
    ask: 'Fragen',
  },
  prefixes: {
    '>': 'Aktionen',
    '/': 'Ordner',
    '#': 'Schlagwörter',
    '@': 'Personen und Firmen',
    ':': 'Termine',
    '!': 'Einstellungen',
    '?': 'fragen',
  },
  askQuestion: (question: string) => `„${question}“ fragen`,
};
