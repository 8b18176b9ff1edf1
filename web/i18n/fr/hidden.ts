import type { Messages } from '../messages.ts';

export const hidden: Messages['hidden'] = {
  zone: 'Zone masquée',
  hidden: 'Masqués',
  list: 'Documents masqués, les plus récents d’abord',
  openTitle: 'Ouvrir la zone masquée',
  setTitle: 'Choisir un code PIN pour la zone masquée',
  stayTitle: 'Rester dans la zone masquée',
  openWhy:
    'Avec le bon code PIN, ce que vous avez masqué s’affiche dans cette fenêtre jusqu’à sa fermeture.',
  setWhy:
    'Ce que vous masquez ne s’affiche qu’avec ce code PIN. Sans lui, même le nombre reste inconnu. Retenez-le bien.',
  pin: 'Code PIN, de 4 à 12 caractères',
  showPin: 'Afficher le code PIN',
  open: 'Ouvrir',
  setAndOpen: 'Choisir et ouvrir',
  stay: 'Laisser ouverte',
  wrongPin: 'Ce n’était pas le code PIN.',
  afterFive: 'Après cinq erreurs de suite, aucun essai n’est possible pendant 15 minutes.',
  lockedUntil: (time: string) => `Trop de codes PIN erronés. Prochain essai à ${time}.`,
  closes: 'Se ferme après 15 minutes et quand vous passez à une autre fenêtre.',
  leavesNothing:
    'Ne laisse aucune trace : ni dans l’adresse, ni dans le titre, ni dans l’historique ou les données du navigateur, ni dans les notifications.',
  isOpen: 'La zone masquée est ouverte',
  onlyHere: 'Seulement dans cette fenêtre, et rien n’en est conservé.',
  closesSoon: 'Elle se ferme dans moins d’une minute.',
  timeLeft: 'Temps restant',
  lockNow: 'Verrouiller',
  lockZone: 'Verrouiller la zone masquée',
  askThese: 'Les interroger',
  showAgain: 'Afficher de nouveau',
  hide: 'Masquer',
  hiddenOne: 'Masqué',
  conversation: 'Cette conversation est supprimée à la fermeture de la zone.',
  chatsLeft:
    'Une conversation d’une visite précédente n’a pas pu être supprimée. Elle reste masquée et sera supprimée à la prochaine ouverture de la zone.',
  nothing: 'Rien n’est masqué',
  howToHide: 'Sélectionnez des documents dans la bibliothèque, puis choisissez « Masquer ».',
  rests:
    'Les liens qui le montrent à d’autres sont suspendus tant qu’il est masqué. Aucun modèle ne le décrit ; vos questions à son sujet restent dans une conversation qui disparaît avec la fermeture de la zone.',
};
