import type { Messages } from '../messages.ts';

export const signIn: Messages['signIn'] = {
  title: 'Anmelden',
  withPasskey: 'Mit Passkey anmelden',
  passkeyCancelled: 'Es wurde kein Passkey verwendet. Versuche es erneut oder auf anderem Weg.',
  withProvider: (provider: string) => `Mit ${provider} anmelden`,
  providerUnavailable:
    'Der Identitätsanbieter hat nicht geantwortet. Versuche es erneut oder auf anderem Weg.',
  providerRefused: 'Der Identitätsanbieter hat die Anmeldung nicht bestätigt.',
  name: 'Name',
  password: 'Passwort',
  withPassword: 'Anmelden',
  link: 'Einmal-Link oder Code',
  linkHint: 'Der Betreiber gibt ihn mit owner sign-in-link aus. Er gilt 30 Minuten und nur einmal.',
  withLink: 'Link verwenden',
  notACode: 'Das ist kein vollständiger Link oder Code.',
};
