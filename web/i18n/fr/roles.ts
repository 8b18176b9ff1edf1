import type { RolesText } from '../messages.ts';
import { pluralOf } from '../plural.ts';

const plural = pluralOf('fr');

export const roles: RolesText = {
  title: 'Rôles de l’agent',
  hint: 'Un rôle dit comment l’agent se comporte et quels outils il a. Un seul est utilisé à la fois.',
  builtIn: 'Intégrés',
  builtInHint: 'Ils ne peuvent pas être modifiés.',
  own: 'Les vôtres',
  ownHint: 'Avec des consignes et des outils que vous choisissez.',
  noOwn: 'Il n’y en a pas encore.',
  builtInRoles: {
    assistant: {
      name: 'Assistant',
      description:
        'Répond à partir de vos documents, écrit des notes et s’occupe de votre calendrier.',
    },
    librarian: {
      name: 'Bibliothécaire',
      description: 'Trouve des documents, les range dans des dossiers et leur donne de bons noms.',
    },
    planner: {
      name: 'Planificateur',
      description:
        'Connaît votre calendrier, trouve des dates dans les documents et prévoit la suite.',
    },
  },
  toolsets: {
    objects: 'Chercher et lire des documents',
    notes: 'Écrire des notes',
    calendar: 'Consulter le calendrier et créer des événements',
    organize: 'Déplacer et renommer des documents',
  },
  noTools: 'aucun outil',
  tools: 'Outils',
  toolsHint: 'Aucun rôle ne peut supprimer, partager, masquer ou envoyer quoi que ce soit.',
  inUse: 'Utilisé',
  use: 'Utiliser',
  useRole: (name: string) => `Utiliser : ${name}`,
  used: (name: string) => `Rôle utilisé : ${name}`,
  showInstructions: 'Consignes',
  create: 'Créer un rôle',
  created: (name: string) => `Rôle créé : ${name}`,
  edit: 'Modifier',
  editRole: (name: string) => `Modifier : ${name}`,
  editTitle: 'Modifier le rôle',
  saved: (name: string) => `Rôle modifié : ${name}`,
  save: 'Enregistrer',
  saving: 'Enregistrement',
  delete: 'Supprimer',
  deleteRole: (name: string) => `Supprimer : ${name}`,
  deleteTitle: (name: string) => `Supprimer ${name} ?`,
  deleteDo: 'Supprimer le rôle',
  deleteHint: 'C’est irréversible. Les conversations restent.',
  deleted: 'Rôle supprimé',
  name: 'Nom',
  slug: 'Nom court',
  slugHint:
    'Pour les programmes. Minuscules, chiffres et traits d’union ; il ne peut plus être changé.',
  description: 'À quoi il sert',
  persona: 'Consignes',
  personaHint: 'Ce qu’il fait, comment il se comporte, à quoi il fait attention.',
  problems: {
    empty: 'Remplissez ce champ.',
    tooLong: (limit: number) =>
      plural(limit, {
        one: 'Au plus # caractère.',
        many: 'Au plus # caractères.',
        other: 'Au plus # caractères.',
      }),
    slug: 'Seulement des minuscules, des chiffres et des traits d’union, au plus 63, sans trait d’union au début.',
    taken: 'Ce nom court est déjà pris.',
    notAllowed: 'Il y a des caractères qui ne peuvent pas être enregistrés.',
  },
};
