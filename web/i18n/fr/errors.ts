import type { Messages } from '../messages.ts';

export const errors: Messages['errors'] = {
  offline: 'Le service est injoignable. Vérifiez la connexion.',
  unknown: 'Une erreur est survenue.',
  unreadable: 'La réponse est illisible. Réessayez.',
  notLoadedTitle: 'Une partie de l’application n’a pas pu être chargée',
  notLoaded: 'Vérifiez la connexion et rechargez la page.',
  codes: {
    not_found: 'Cet élément n’existe plus.',
    forbidden: 'Cette action n’est pas permise.',
    plan_limit: 'La limite de votre offre est atteinte.',
    rate_limited: 'Trop de requêtes. Patientez un instant.',
    unavailable: 'Le service est occupé. Réessayez dans quelques secondes.',
    version_conflict: 'Il a été modifié ailleurs entre-temps.',
    in_trash: 'Il est dans la corbeille.',
    sign_in_failed: 'Le lien est déjà utilisé ou expiré, ou la saisie est incorrecte.',
    sign_in_again: 'Reconnectez-vous d’abord pour cela.',
    last_sign_in: 'C’est le dernier moyen de connexion. Ajoutez-en d’abord un autre.',
    wrong_password: 'Le mot de passe actuel est incorrect.',
    passkeys_unavailable:
      'Les clés d’accès exigent une adresse avec un nom d’hôte : en https ou sur localhost.',
    passkey_rejected: 'La clé d’accès n’a pas pu être vérifiée. Recommencez.',
    internal: 'Le service a échoué. Si cela se reproduit, donnez le numéro à l’exploitant.',
  },
};
