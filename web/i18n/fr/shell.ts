import type { Messages } from '../messages.ts';
import { pluralOf } from '../plural.ts';

const plural = pluralOf('fr');

export const shell: Messages['shell'] = {
  product: 'Owner Workspace',
  workspace: 'Espace de travail',
  skip: 'Aller au contenu',
  places: {
    library: 'Bibliothèque',
    ask: 'Questions',
    agent: 'Agent',
    calendar: 'Calendrier',
    shares: 'Partages',
    notifications: 'Notifications',
    trash: 'Corbeille',
    settings: 'Paramètres',
  },
  more: 'Plus',
  unread: (count: number) => `Notifications non lues : ${count}`,
  goTo: (place: string) => `Aller à ${place}`,
  firstSteps: 'Les cinq premières minutes',
  search: 'Rechercher dans l’espace',
  searchHint: 'Rechercher ou poser une question',
  palette: 'Ouvrir la palette',
  add: 'Ajouter',
  account: (name: string) => `${name} : compte`,
  hiddenZone: 'Zone masquée',
  signOut: 'Se déconnecter',
  signOutTitle: 'Se déconnecter ?',
  unsentFiles: (count: number) =>
    plural(count, {
      one: '# fichier n’a pas encore été envoyé. La déconnexion le supprime de ce navigateur.',
      many: '# de fichiers n’ont pas encore été envoyés. La déconnexion les supprime de ce navigateur.',
      other:
        '# fichiers n’ont pas encore été envoyés. La déconnexion les supprime de ce navigateur.',
    }),
  undo: 'Annuler',
  undone: (change: string) => `Annulé : ${change}`,
  dismiss: 'Masquer',
  close: 'Fermer',
  cancel: 'Abandonner',
  tryAgain: 'Réessayer',
  loading: 'Chargement',
  notFound: 'Introuvable',
  notFoundHere: 'Il n’y a rien à cette adresse.',
};
