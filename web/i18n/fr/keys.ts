import type { Messages } from '../messages.ts';

export const keys: Messages['keys'] = {
  help: 'Raccourcis clavier',
  groups: {
    everywhere: 'Partout',
    go: 'Aller à',
    add: 'Ajouter',
    list: 'Dans les listes',
    document: 'Dans un document',
    answer: 'Dans une réponse',
    calendar: 'Dans le calendrier',
  },
};
