import type { NotificationsText } from '../messages.ts';
import { pluralOf } from '../plural.ts';

const n = pluralOf('fr');

export const notificationsText: NotificationsText = {
  title: 'Notifications',
  unread: (count) => n(count, { one: '# non lue', many: '# non lues', other: '# non lues' }),
  show: 'Afficher',
  all: 'Toutes',
  onlyUnread: 'Non lues',
  readAll: 'Tout marquer comme lu',
  read: 'Marquer comme lue',
  readOne: (what) => `Marquer comme lue : ${what}`,
  remove: 'Retirer',
  removeOne: (what) => `Retirer : ${what}`,
  isNew: 'Nouvelle',
  more: 'Afficher plus',
  today: 'Aujourd’hui',
  yesterday: 'Hier',
  none: 'Rien de nouveau',
  noneHint: 'Ce que le service a fait en votre absence figure ici, avec le chemin pour y aller.',
  allRead: 'Tout est lu',
  showAll: 'Tout afficher',
  toAll: 'Toutes les notifications',
  next: 'Notification suivante',
  previous: 'Notification précédente',
  ready: (name) => `${name} est prêt`,
  notReady: (name) => `${name} n’a pas pu être lu`,
  notSaved: (name) => `Votre modification de ${name} n’a pas pu être enregistrée`,
  savedEarlier: (name) =>
    `Votre modification de ${name} est enregistrée comme version antérieure, car le fichier a été modifié ailleurs`,
  edited: {
    compress: (name) => `${name} : image compressée`,
    resize: (name) => `${name} : image réduite`,
    rotate: (name) => `${name} : image tournée`,
    flip: (name) => `${name} : image retournée`,
    crop: (name) => `${name} : image rognée`,
  },
  editedHint: 'L’image d’avant peut être restaurée depuis ses versions.',
  notEdited: (name) => `${name} n’a pas pu être retouché`,
  unchanged: (name) => `${name} reste tel quel`,
  filed: (count) =>
    n(count, {
      one: '# document classé dans des dossiers',
      many: '# de documents classés dans des dossiers',
      other: '# documents classés dans des dossiers',
    }),
  planned: 'Un plan de rangement est prêt',
  movedOut: 'Vos fichiers sont dans votre bucket',
  movedBack: 'Vos fichiers sont revenus dans le service',
  notMoved: 'Certains de vos fichiers n’ont pas pu être déplacés',
  movedCount: (moved, failed) => {
    const files = n(moved, {
      one: '# fichier déplacé',
      many: '# de fichiers déplacés',
      other: '# fichiers déplacés',
    });
    return failed === 0 ? `${files}.` : `${files}, échecs : ${failed}.`;
  },
  begins: (when) => `Début : ${when}`,
  shareOpened: (name) => `Le lien vers ${name} a été ouvert pour la première fois`,
  uploaded: (name, folder) => `${name} a été déposé dans ${folder} par un lien`,
  referred: (name) => `${name} a utilisé votre code d’invitation`,
  modelFailed: 'Votre modèle ne répond plus comme prévu',
  bucketFailed: 'Votre bucket ne répond plus comme prévu',
  botPolled: (name) =>
    `Le bot ${name} va chercher ses messages, car la plateforme ne les livre pas`,
  botConflict: (name) => `Un autre programme utilise le bot ${name}`,
  botRefused: (name) => `Le bot ${name} est déconnecté`,
  botRefusedHint: 'Connectez-le de nouveau avec son jeton.',
  network: (network) => `réseau ${network}`,
  security: {
    newPlace: 'Connexion depuis un nouveau lieu',
    newPlaceHint:
      'Si ce n’était pas vous, mettez fin à cette session, changez de mot de passe et vérifiez vos clés d’accès.',
    copiedPasskey: 'Une clé d’accès a peut-être été copiée',
    copiedPasskeyHint: 'Si ce n’était pas vous, supprimez la clé d’accès.',
    pinLocked: 'Le code PIN ne peut pas être saisi pour le moment',
    pinLockedHint:
      'Un mauvais code PIN a été saisi trop souvent. Si ce n’était pas vous, mettez fin à la session en cause.',
    failedSignIns: 'Beaucoup de connexions ont échoué en un jour',
    failedSignInsHint:
      'Si ce n’était pas vous, vérifiez que votre mot de passe ne sert nulle part ailleurs, ou connectez-vous seulement par clé d’accès.',
  },
};
