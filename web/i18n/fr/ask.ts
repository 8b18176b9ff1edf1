import type { Messages } from '../messages.ts';
import { pluralOf } from '../plural.ts';

const plural = pluralOf('fr');

export const ask: Messages['ask'] = {
  newTitle: 'Questions',
  begin: 'Interrogez vos documents',
  beginHint: 'Les réponses viennent de ce qui y est écrit, avec l’endroit de chaque phrase.',
  chats: 'Conversations',
  conversation: 'Conversation',
  pinnedChats: 'Épinglées',
  lately: 'Récentes',
  today: 'Aujourd’hui',
  dayInFolder: (day: string, folder: string) => `${day} · dans ${folder}`,
  newChat: 'Nouvelle conversation',
  gone: 'Cette conversation n’existe plus.',
  loading: 'Chargement de la conversation',
  pin: 'Épingler la conversation',
  unpin: 'Détacher la conversation',
  pinned: (title: string) => `Épinglée : ${title}`,
  unpinned: (title: string) => `Détachée : ${title}`,
  moreOf: 'Plus d’options pour cette conversation',
  rename: 'Renommer la conversation',
  renameDo: 'Renommer',
  renamed: (title: string) => `Renommée : ${title}`,
  title: 'Titre',
  deleteChat: 'Supprimer la conversation',
  deleteWarning: 'Ses questions et réponses sont supprimées. C’est irréversible.',
  deleted: 'Conversation supprimée',
  question: 'Question sur vos documents',
  placeholder: 'Posez une question sur vos documents',
  placeholderOn: 'Poursuivez, ou posez une autre question',
  send: (key: string) => `Demander (${key})`,
  sendQuestion: 'Poser la question',
  write: 'Écrire une question',
  stop: 'Arrêter la réponse',
  nextQuestion: 'Question suivante',
  previousQuestion: 'Question précédente',
  nextCitation: 'Citation suivante',
  previousCitation: 'Citation précédente',
  searchIn: 'Chercher dans :',
  allDocuments: 'Tous les documents',
  oneFolder: 'Un dossier',
  findFolder: 'Chercher un dossier',
  chooseDocuments: 'Interroger certains documents',
  findDocument: 'Chercher un document',
  noDocument: 'Aucun document trouvé.',
  askAboutCount: (count: number) =>
    plural(count, {
      one: 'Interroger # document',
      many: 'Interroger # de documents',
      other: 'Interroger # documents',
    }),
  aboutThese: 'Sur',
  withoutDocument: (name: string) => `Retirer ${name}`,
  moreDocuments: (count: number) =>
    plural(count, { one: 'et # autre', many: 'et # autres', other: 'et # autres' }),
  aboutAll: 'Sur tous',
  searching: 'Recherche dans vos documents',
  waiting: 'Le service est occupé. Votre question attend.',
  stopped: 'Incomplète : la réponse a été interrompue.',
  cutOff: {
    length: 'Incomplète : le modèle a atteint sa limite de jetons.',
    filtered: 'Incomplète : le service du modèle a retenu la suite.',
  },
  stoppedEmpty: 'Pas de réponse : elle a été arrêtée avant de commencer.',
  noSource: 'sans source',
  sources: 'Sources',
  sourcesOf: 'Sources de la réponse',
  sourceLabel: (index: number, name: string, page?: number) =>
    page === undefined ? `Source ${index} : ${name}` : `Source ${index} : ${name}, page ${page}`,
  sourcesShort: (count: number) =>
    plural(count, { one: '# source', many: '# de sources', other: '# sources' }),
  inDocuments: (count: number) =>
    plural(count, {
      one: 'dans # document',
      many: 'dans # de documents',
      other: 'dans # documents',
    }),
  sourcesIn: (sources: number, documents: number) =>
    `${sources} ${plural(documents, { one: 'dans # document', many: 'dans # de documents', other: 'dans # documents' })}`,
  page: (page: number) => `Page ${page}`,
  openAtPlace: 'Ouvrir à l’endroit',
  openSource: (index: number) => `Ouvrir à l’endroit : source ${index}`,
  searched: (count: number) =>
    plural(count, {
      one: '# document consulté',
      many: '# de documents consultés',
      other: '# documents consultés',
    }),
  unread: (count: number) =>
    plural(count, { one: '# non lu', many: '# non lus', other: '# non lus' }),
  builtIn: 'Moteur intégré, sur ce serveur',
  inOwnNetwork: (engine: string) => `${engine}, dans votre réseau`,
  atHost: (engine: string, host: string) => `${engine}, chez ${host}`,
  copy: 'Copier la réponse avec ses sources',
  copied: 'Réponse copiée avec ses sources',
  notCopied: 'Le navigateur n’a pas permis de copier.',
  askAgain: 'Poser de nouveau la question',
  withoutModel: 'Répondre sans le modèle',
  complete: 'Réponse complète',
  stoppedAnswer: 'La réponse est incomplète.',
  failedAnswer: 'Il n’y a pas de réponse.',
  failures: {
    deadline: 'Le modèle n’a pas répondu à temps.',
    upstream_failed: 'Le modèle n’a pas répondu.',
    broken_off: 'La connexion a été coupée.',
    plan_limit: 'Les questions de votre offre sont épuisées pour le moment.',
  },
  seeNearest: (count: number) =>
    plural(count, {
      one: 'Voir le document le plus proche',
      many: 'Voir les # de documents les plus proches',
      other: 'Voir les # documents les plus proches',
    }),
  seeUnread: (count: number) =>
    plural(count, {
      one: 'Voir celui qui n’est pas lu, et pourquoi',
      many: 'Voir les # qui ne sont pas lus, et pourquoi',
      other: 'Voir les # qui ne sont pas lus, et pourquoi',
    }),
  addMissing: 'Ajouter ce qui manque et reposer la question',
  unreadTitle: 'Documents non lus',
  unreadWhy: 'Les réponses ne tiennent pas compte de ces documents.',
  unreadOfAll:
    'Les réponses ne tiennent pas compte de ces documents. Ce sont ceux de toute la bibliothèque.',
  unreadRest: (count: number) =>
    plural(count, {
      one: 'Dans # autre, aucun texte n’a été trouvé.',
      many: 'Dans # autres, aucun texte n’a été trouvé.',
      other: 'Dans # autres, aucun texte n’a été trouvé.',
    }),
  unreadFailed: 'Lecture impossible',
  beingRead: 'En cours de lecture',
  waitsToBeRead: 'En attente de lecture',
};
