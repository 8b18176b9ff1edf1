import type { Messages } from '../messages.ts';

export const settings: Messages['settings'] = {
  sections: {
    you: 'Vous et vos appareils',
    look: 'Langue et apparence',
    filing: 'Noms et classement',
    keys: 'Clavier',
    connections: 'Connexions',
    roles: 'Rôles de l’agent',
    bots: 'Bots',
    office: 'Éditeur bureautique',
    security: 'Sécurité',
    data: 'Vos données',
    usage: 'Utilisation et état',
  },
};
