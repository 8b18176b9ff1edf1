import type { OidcLink, Passkey, SignInMethodStore } from '../../ports/sign-in.ts';
import type { Tables } from './database.ts';
import { byCodePoint } from './order.ts';

/** What other owners have. */
export interface ForeignSignInMethods {
  hasCredential(credentialId: string): boolean;
  hasSubject(link: Pick<OidcLink, 'issuer' | 'subject'>): boolean;
}

const frozen = (passkey: Passkey): Passkey =>
  Object.freeze({ ...passkey, transports: Object.freeze([...passkey.transports]) });

export function memorySignInMethods(
  { password, oidcLink, passkeys }: Tables,
  others: ForeignSignInMethods,
): SignInMethodStore {
  return {
    password: async () => password.get('password'),
    setPassword: async (next) => {
      if (next) password.set('password', Object.freeze({ ...next }));
      else password.delete('password');
    },
    oidc: async () => oidcLink.get('link'),
    linkOidc: async (link) => {
      if (others.hasSubject(link)) return false;
      oidcLink.set('link', Object.freeze({ ...link }));
      return true;
    },
    unlinkOidc: async () => {
      const found = oidcLink.get('link') !== undefined;
      if (found) oidcLink.delete('link');
      return found;
    },
    passkeys: async () =>
      passkeys.values().sort((a, b) => a.createdAt - b.createdAt || byCodePoint(a.id, b.id)),
    findPasskey: async (id) => passkeys.get(id),
    addPasskey: async (passkey) => {
      const { id, credentialId } = passkey;
      const isTaken =
        others.hasCredential(credentialId) ||
        passkeys.values().some((each) => each.credentialId === credentialId);
      if (!isTaken) passkeys.set(id, frozen(passkey));
      return !isTaken;
    },
    savePasskey: async (passkey) => {
      if (passkeys.get(passkey.id)) passkeys.set(passkey.id, frozen(passkey));
    },
    removePasskey: async (id) => {
      const found = passkeys.get(id) !== undefined;
      if (found) passkeys.delete(id);
      return found;
    },
  };
}
