import type { Messages } from '../messages.ts';
import { pluralOf } from '../plural.ts';

const plural = pluralOf('fr');

export const search: Messages['search'] = {
  resultsFor: (query: string) => `Résultats pour « ${query} »`,
  results: 'Résultats',
  found: (count: number) =>
    plural(count, {
      one: '# document trouvé',
      many: '# de documents trouvés',
      other: '# documents trouvés',
    }),
  searching: 'Recherche en cours',
  askThis: 'Poser la question',
  inItsName: 'Les mots sont dans son nom.',
  more: 'Afficher plus',
  nothing: 'Aucun document ne convient.',
  nothingIn: 'Aucun document ne contient ces mots, ni dans son nom ni dans son texte.',
  dropHint: 'Avec moins de critères, on trouve :',
  withoutWord: (word: string) => `Sans « ${word} »`,
  withoutFilter: (filter: string) => `Sans le filtre ${filter}`,
  asWords: (phrase: string) => `${phrase} en mots séparés`,
  asBeginning: (word: string) => `Mots qui commencent par « ${word} »`,
  documents: (count: number) =>
    plural(count, { one: '# document', many: '# de documents', other: '# documents' }),
  noneSuggested:
    'D’autres mots le trouveront peut-être. Ce qui est en cours de lecture sera trouvé plus tard.',
  filters: {
    kind: 'format',
    doc_type: 'type',
    collection_id: 'dossier',
    theme_id: 'thème',
    uncategorized: 'sans dossier',
    is_link: 'liens',
    notes_only: 'notes',
    status: 'état',
    category: 'étiquette',
    has_suggestion: 'suggestion',
    created_from: 'ajouté à partir du',
    created_to: 'ajouté jusqu’au',
  },
  paletteTitle: 'Palette',
  paletteHint: 'Un nom, ou > / # @ : ! ?',
  paletteEmpty: 'Rien trouvé.',
  paletteCount: (count: number) =>
    plural(count, { one: '# choix', many: '# de choix', other: '# choix' }),
  sections: {
    documents: 'Documents',
    folders: 'Dossiers et thèmes',
    actions: 'Actions',
    labels: 'Étiquettes',
    events: 'Événements',
    settings: 'Paramètres',
    ask: 'Questions',
  },
  prefixes: {
    '>': 'actions',
    '/': 'dossiers',
    '#': 'étiquettes',
    '@': 'personnes et entreprises',
    ':': 'événements',
    '!': 'paramètres',
    '?': 'demander',
  },
  askQuestion: (question: string) => `Demander « ${question} »`,
};
