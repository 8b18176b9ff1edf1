import type { WelcomeText } from '../messages.ts';
import { pluralOf } from '../plural.ts';

const n = pluralOf('fr');

export const welcomeText: WelcomeText = {
  greetings: { morning: 'Bonjour', day: 'Bonjour', evening: 'Bonsoir' },
  greeting: (greeting, name) => `${greeting} ${name}`,
  steps: 'Étapes',
  notNow: 'Pas maintenant',
  done: 'Terminé',
  drop: 'Déposez des fichiers ou un dossier entier n’importe où, collez une image ou choisissez',
  kinds: 'PDF, bureautique, e-mails, livres, images, tableaux, texte.',
  nothingLeaves: 'Rien ne quitte ce serveur.',
  firstFiles: 'Premiers fichiers',
  noFiles: 'Choisissez-en que vous connaissez bien.',
  cameIn: (count) =>
    n(count, {
      one: '# fichier est arrivé',
      many: '# de fichiers sont arrivés',
      other: '# fichiers sont arrivés',
    }),
  areRead: (count) => n(count, { one: '# est lu', many: '# sont lus', other: '# sont lus' }),
  read: (type) => `Lu : ${type}`,
  waits: 'En attente de lecture',
  askFirst: 'Posez une question',
  ownWords: 'Les réponses sont des phrases de vos documents, chacune avec son emplacement.',
  nothingToAsk: 'Aucune date, aucun montant ni nom n’y a été trouvé. Posez votre propre question.',
  ownQuestion: 'Poser votre propre question',
  preparing: 'Recherche de questions',
  youAreIn: 'Vous êtes connecté',
  linkUsed: 'Le lien du terminal ne sert qu’une fois.',
  region: (language, zone) => `Langue et fuseau : ${language}, ${zone}.`,
  change: 'Modifier',
  passkey: 'Créer une clé d’accès',
  passkeyWhy: 'Cet appareil n’aura alors plus besoin de lien.',
  passkeyMade: 'Ce compte a une clé d’accès.',
  firstQuestion: 'Première question',
  chooseQuestion: 'Choisissez-en une ou écrivez la vôtre.',
  questionAsked: 'La réponse se trouve dans « Questions ».',
  afterFirstFile: 'Dès que le premier fichier est lu, des questions sont proposées.',
  filing: 'Les faire classer',
  filingWhy: 'Un plan est affiché avant tout déplacement.',
  filingLater: (count) =>
    n(count, {
      one: 'À partir de # fichier.',
      many: 'À partir de # de fichiers.',
      other: 'À partir de # fichiers.',
    }),
  filingDone: 'Les documents sont dans des dossiers.',
  makePlan: 'Voir un plan',
  elsewhere: 'Vous venez d’ailleurs ?',
  elsewhereWhy:
    'Fichiers et dossiers sont ajoutés tels quels. L’export d’un autre espace de travail est un seul fichier ZIP.',
  chooseExport: 'Choisir un export',
  bringingIn: 'Importation de l’export',
  broughtIn: (count) =>
    n(count, {
      one: '# document a été importé.',
      many: '# de documents ont été importés.',
      other: '# documents ont été importés.',
    }),
  badExport: 'Ce n’est pas un export complet d’un espace de travail.',
  model: 'Un modèle, si vous le souhaitez',
  modelWhy: 'Sans modèle, les réponses sont des phrases de vos documents.',
  connectModel: 'Connecter un modèle',
  modelDone: 'Un modèle est connecté.',
  install: 'Sur le téléphone',
  installWhy:
    'Ouvrez cette adresse sur le téléphone et choisissez « Ajouter à l’écran d’accueil » dans le menu du navigateur.',
  installNeedsHttps: 'Les téléphones ont besoin d’une adresse https pour cela.',
};
