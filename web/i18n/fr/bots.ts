import type { BotsText } from '../messages.ts';
import { pluralOf } from '../plural.ts';

const plural = pluralOf('fr');

export const bots: BotsText = {
  title: 'Bots connectés',
  hint: 'Un bot vous envoie vos rappels dans Telegram et présente les groupes dont il fait partie, avec les membres qu’il connaît.',
  none: 'Aucun bot n’est encore connecté.',
  connect: 'Connecter un bot',
  connectHint: 'Créez un bot avec @BotFather dans Telegram, puis saisissez le jeton obtenu.',
  token: 'Jeton du bot',
  badToken: 'Telegram n’accepte pas ce jeton. Copiez-le à nouveau depuis @BotFather.',
  connecting: 'Connexion en cours',
  connected: (name) => `${name} est connecté.`,
  ofOther: 'D’un autre propriétaire de cet espace de travail',
  linked: 'Envoie vos rappels dans votre discussion avec lui',
  notLinked: 'Ne vous atteint pas encore',
  states: {
    webhook: 'Reçoit les messages de la plateforme',
    polling: 'Va chercher ses messages',
    conflict: 'Ne reçoit aucun message',
    refused: 'Déconnecté',
    unavailable: 'Ne reçoit aucun message',
  },
  linkTitle: 'Recevoir vos rappels ici',
  linkFirst: 'Ouvrez votre discussion privée avec le bot et appuyez sur Démarrer :',
  linkSecond: 'Ou envoyez-lui vous-même ce message :',
  openChat: 'Ouvrir la discussion dans Telegram',
  copyMessage: 'Copier le message',
  copied: 'Copié.',
  notCopied: 'Le navigateur n’a pas autorisé la copie. Sélectionnez plutôt le texte.',
  codeOnce: 'Le code ne sert qu’une fois. Toute personne qui le détient peut recevoir vos rappels.',
  linkOther: 'Utiliser une autre discussion',
  groups: 'Groupes',
  noGroups:
    'Le bot ne fait partie d’aucun groupe. Ajoutez-le à un groupe dans Telegram, qui apparaîtra ici.',
  knownOf: (known, total) =>
    plural(total, {
      one: `${known} membre connu sur #`,
      many: `${known} membres connus sur #`,
      other: `${known} membres connus sur #`,
    }),
  known: (known) =>
    plural(known, {
      one: '# membre connu',
      many: '# de membres connus',
      other: '# membres connus',
    }),
  heard: (moment) => `dernier message : ${moment}`,
  notHeard: 'pas encore de message',
  synced: (moment) => `mis à jour : ${moment}`,
  mayWrite: 'Peut écrire en premier',
  mayWriteHint: 'Sans cet accord, un bot n’écrit dans un groupe que si l’on s’adresse à lui.',
  allowed: (group) => `Le bot peut écrire en premier dans ${group}.`,
  forbade: (group) => `Le bot n’écrit plus en premier dans ${group}.`,
  members: 'Membres',
  hideMembers: 'Masquer les membres',
  noMembers: 'Le bot ne connaît encore aucun membre.',
  roles: {
    creator: 'a créé le groupe',
    administrator: 'administration',
    member: 'membre',
    restricted: 'accès restreint',
  },
  sources: {
    message: 'connu par un message',
    admin_list: 'connu par la liste des administrateurs',
    join: 'connu par son arrivée',
    member_update: 'connu par un changement dans le groupe',
  },
  sync: 'Mettre à jour',
  syncing: 'Mise à jour',
  updated: (group) => `${group} est à jour.`,
  more: 'Afficher plus',
  folder: 'Dossier du groupe',
  remove: 'Retirer',
  removeTitle: (name) => `Retirer ${name} ?`,
  removeHint:
    'Le service oublie son jeton, ses groupes et ses membres, et n’envoie plus de rappels avec lui. Dans Telegram, le bot subsiste.',
  removeBot: 'Retirer le bot',
  removed: (name) => `${name} est retiré.`,
  codes: {
    bot_exists: 'Ce bot est déjà connecté par un autre propriétaire.',
    too_many_bots: 'Aucun autre bot ne peut être connecté. Retirez-en d’abord un.',
    bot_not_in_chat:
      'Telegram ne donne au bot aucune information sur ce groupe. En fait-il encore partie ?',
    bot_token_rejected:
      'Telegram n’accepte plus le jeton de ce bot. Connectez-le à nouveau avec son nouveau jeton.',
    upstream_failed: 'Telegram a refusé la demande. Réessayez plus tard.',
    forbidden: 'Seul le propriétaire du bot peut faire cela.',
  },
};
