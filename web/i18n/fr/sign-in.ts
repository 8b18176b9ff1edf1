import type { Messages } from '../messages.ts';

export const signIn: Messages['signIn'] = {
  title: 'Se connecter',
  withPasskey: 'Se connecter avec une clé d’accès',
  passkeyCancelled:
    'Aucune clé d’accès n’a été utilisée. Réessayez ou choisissez une autre méthode.',
  withProvider: (provider: string) => `Se connecter avec ${provider}`,
  providerUnavailable:
    'Le fournisseur d’identité n’a pas répondu. Réessayez ou choisissez une autre méthode.',
  providerRefused: 'Le fournisseur d’identité n’a pas confirmé la connexion.',
  name: 'Nom',
  password: 'Mot de passe',
  withPassword: 'Se connecter',
  link: 'Lien ou code à usage unique',
  linkHint:
    'L’exploitant l’affiche avec owner sign-in-link. Il est valable 30 minutes, une seule fois.',
  withLink: 'Utiliser le lien',
  notACode: 'Ce lien ou ce code est incomplet.',
};
