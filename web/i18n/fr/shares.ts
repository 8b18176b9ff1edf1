import type { SharesText } from '../messages.ts';
import { pluralOf } from '../plural.ts';

const n = pluralOf('fr');
const linksOf = (count: number) =>
  n(count, { one: '# lien', many: '# de liens', other: '# liens' });

export const shares: SharesText = {
  title: 'Partages',
  link: 'Lien',
  list: 'Liens',
  links: linksOf,
  openLinks: (count) =>
    n(count, {
      one: '# lien est ouvert à d’autres',
      many: '# de liens sont ouverts à d’autres',
      other: '# liens sont ouverts à d’autres',
    }),
  nothing: 'Rien n’est partagé',
  nothingHint:
    'Un lien montre un document ou un dossier à des personnes sans compte. Avant de le créer, vous voyez ce qu’elles verront.',
  newLink: 'Nouveau lien',
  newLinkTo: 'Nouveau lien :',
  may: 'Les visiteurs peuvent',
  mayLook: 'consulter',
  mayLookAndAdd: 'consulter et ajouter des fichiers',
  look: ['Consulter', 'et télécharger'],
  lookAndAdd: ['Consulter et ajouter', 'leurs propres fichiers'],
  state: 'État',
  states: { open: 'Ouvert', expired: 'Terminé', suspended: 'Suspendu' },
  rests: {
    hidden: 'le document est masqué',
    in_trash: 'le document est à la corbeille',
  },
  noPassword: 'sans mot de passe',
  withPassword: 'avec mot de passe',
  until: 'Jusqu’au',
  untilDay: 'jusqu’au',
  neverEnds: 'Sans fin',
  endsSoon: 'Se termine bientôt',
  anotherEnd: 'Choisir une autre fin',
  came: 'Visites',
  visits: (count) => n(count, { one: '# visite', many: '# de visites', other: '# visites' }),
  filesCameIn: (count) =>
    n(count, {
      one: '# fichier reçu',
      many: '# de fichiers reçus',
      other: '# fichiers reçus',
    }),
  actions: 'Actions',
  moreFor: (name) => `Plus pour ${name}`,
  change: 'Modifier',
  madeAt: (day) => `créé : ${day}`,
  showMore: (count) =>
    n(count, {
      one: 'En afficher # de plus',
      many: 'En afficher # de plus',
      other: 'En afficher # de plus',
    }),
  lately: 'Récemment',
  endedLink: 'un lien terminé',
  visitsOf: {
    file: '{file} reçu par {link}',
    unnamed: 'Un fichier reçu par {link}',
    opened: 'Première visite par {link}',
  },
  aboutAddress:
    'L’adresse d’un lien s’affiche une seule fois, à sa création ; seuls ses six premiers caractères sont enregistrés. Si elle est perdue, mettez fin au lien et créez-en un autre.',
  close: 'Fermer',
  closeUnmade: 'Fermer sans créer de lien',
  panelContent: 'Détails du lien',
  looking: 'Recherche de ce que verront les visiteurs',
  ofSeveral:
    'Un lien montre un document ou un dossier entier. Voici le dossier des documents sélectionnés : les visiteurs voient tout ce qu’il contient.',
  noCommonFolder:
    'Un lien montre un document ou un dossier entier. Déplacez les documents sélectionnés dans un même dossier, puis partagez-le.',
  find: 'Chercher un dossier ou un document',
  findHint: 'Un lien montre un document, ou un dossier avec tout ce qu’il contient.',
  documents: 'Documents',
  nothingFound: 'Aucun dossier ni document ne convient.',
  nothingToShare: 'Ajoutez d’abord un document.',
  name: 'Nom pour les visiteurs',
  nameHint: 'Ils le lisent avant le mot de passe. Vide : ils lisent ce qui est partagé.',
  maxFiles: 'Fichiers au plus',
  maxBytes: 'Au plus, en tout',
  password: 'Mot de passe',
  newPassword: 'Nouveau mot de passe',
  passwordHint: 'Vide, ou au moins 8 caractères.',
  passwordStays: 'Vide : l’actuel reste.',
  makePassword: 'En inventer un',
  dropPassword: 'Retirer le mot de passe',
  ends: 'Fin',
  sameEnd: 'Inchangée',
  afterDays: (count) =>
    n(count, { one: 'Après # jour', many: 'Après # de jours', other: 'Après # jours' }),
  endsNow: (moment) => `Actuellement : ${moment}`,
  wrong: {
    name: 'Au plus 120 caractères.',
    password: 'Il faut de 8 à 128 caractères.',
    maxFiles: 'Un nombre entier de 1 à 100 000.',
    ends: 'Choisissez une autre fin.',
  },
  visitorSees: 'Ce que voit un visiteur',
  afterPassword: 'Après le mot de passe',
  withoutPassword: 'Toute personne qui a le lien',
  noFiles: 'Pas encore de fichiers',
  files: (count) => n(count, { one: '# fichier', many: '# de fichiers', other: '# fichiers' }),
  newestFirst: 'les plus récents d’abord',
  andMore: (count) => n(count, { one: 'et # autre', many: 'et # autres', other: 'et # autres' }),
  visitorAdds: 'Ajouter des fichiers',
  takeOut: 'Sortir',
  warnings: {
    id_document: (count) =>
      n(count, {
        one: '# ressemble à une pièce d’identité.',
        many: '# ressemblent à des pièces d’identité.',
        other: '# ressemblent à des pièces d’identité.',
      }),
    medical: (count) =>
      n(count, {
        one: '# semble médical.',
        many: '# semblent médicaux.',
        other: '# semblent médicaux.',
      }),
    bank_statement: (count) =>
      n(count, {
        one: '# ressemble à un relevé bancaire.',
        many: '# ressemblent à des relevés bancaires.',
        other: '# ressemblent à des relevés bancaires.',
      }),
    tax: (count) =>
      n(count, {
        one: '# semble concerner les impôts.',
        many: '# semblent concerner les impôts.',
        other: '# semblent concerner les impôts.',
      }),
  },
  warnedInFolder: 'Sortez-le d’abord du dossier, ou partagez-le en connaissance de cause.',
  warnedFile: 'Ne le partagez que si vous le voulez vraiment.',
  neverSeen:
    'Jamais visibles : votre nom, les autres dossiers, ce qui est masqué ou à la corbeille, vos corrections de textes, les versions antérieures.',
  shownOnce: 'L’adresse s’affiche une seule fois.',
  make: 'Créer le lien',
  making: 'Création du lien',
  made: 'Le lien est créé',
  address: 'Adresse',
  copyAddress: 'Copier l’adresse',
  copyPassword: 'Copier le mot de passe',
  copied: 'Copié',
  notCopied: 'Le navigateur ne l’a pas permis. Sélectionnez le texte et copiez-le.',
  send: 'Envoyer',
  notSent: 'L’envoi n’a pas abouti. Copiez plutôt l’adresse.',
  sendApart: 'Envoyez-le par une autre voie que le lien. Il ne s’affichera plus.',
  code: 'L’adresse en code QR',
  scan: 'L’appareil photo d’un téléphone ouvre le lien.',
  madeOnce:
    'Copiez l’adresse maintenant. Elle ne s’affichera plus, et cette application ne l’enregistre pas.',
  done: 'Terminé',
  end: 'Mettre fin au lien',
  endTitle: (name) => `Mettre fin au lien ${name} ?`,
  endWhy: 'Son adresse cesse de fonctionner aussitôt, et pour toujours.',
  filesStay: (count) =>
    n(count, {
      one: '# fichier reçu reste.',
      many: '# de fichiers reçus restent.',
      other: '# fichiers reçus restent.',
    }),
  ended: (name) => `Lien ${name} terminé`,
  save: 'Enregistrer',
  openAgain: 'Rouvrir',
  changed: (name) => `Lien ${name} modifié`,
  expiredHelp: 'Les visiteurs ne voient rien. Choisissez une autre fin pour le rouvrir.',
  restsHelp: 'Les visiteurs ne voient rien. Le lien fonctionnera dès que le document sera revenu.',
  openDocument: 'Ouvrir le document',
  kinds: { folder: 'Dossier', file: 'Document' },
  madeOn: 'Création',
  cameIn: 'Reçu',
  ofFiles: (count, limit) => `${count} sur ${limit} fichiers`,
  ofBytes: (bytes, limit) => `${bytes} sur ${limit}`,
  refusals: {
    too_many_shares: 'Il y a trop de liens. Mettez fin à ceux qui ne servent plus.',
    is_hidden: 'Le document est masqué. Affichez-le de nouveau avant de le partager.',
  },
  actionNames: {
    newLink: 'Nouveau lien',
    next: 'Lien suivant',
    previous: 'Lien précédent',
    end: 'Mettre fin au lien',
    close: 'Fermer le panneau',
  },
};
