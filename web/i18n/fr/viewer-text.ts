import type { ViewerText } from '../messages.ts';

export const viewerText: ViewerText = {
  editor: 'Éditeur bureautique',
  opening: 'Ouverture de l’éditeur',
  readOnly:
    'L’éditeur ne fait qu’afficher les fichiers de ce format. Enregistrez-le dans un format plus récent pour le modifier.',
  whenStored: 'Les modifications sont enregistrées comme version à la fermeture de l’éditeur.',
  unsent: 'Envoi de vos modifications',
  stored: (version) => `Vos modifications sont enregistrées comme version ${version}.`,
  newer: (version) =>
    `La version ${version} a été ajoutée ailleurs. Ce que vous enregistrez ici est conservé à côté.`,
  outdated: 'Le document a une version plus récente que celle de l’éditeur.',
  openAgain: 'Ouvrir la plus récente',
  failed: 'L’éditeur signale une erreur. Rouvrez-le s’il ne répond plus.',
  missing: 'L’éditeur n’a pas pu être chargé depuis le serveur de documents.',
  off: {
    switched_off:
      'Aucun serveur de documents n’est connecté : le fichier lui-même ne peut pas être modifié ici.',
    engine_unavailable:
      'Le serveur de documents ne répond pas : le fichier lui-même ne peut pas être modifié pour le moment.',
    unsupported_format: 'Le serveur de documents n’ouvre pas les fichiers de ce format.',
  },
  onlyText: 'Voici le texte qui y a été lu.',
  otherwise:
    'Téléchargez le fichier, modifiez-le dans un autre programme et ajoutez-le comme version.',
  newerVersion: (version) => `La version ${version} est plus récente.`,
  isEarlier: (version) => `Voici la version ${version}, dont les mots sont cités.`,
  toNewest: 'Afficher la plus récente',
};
