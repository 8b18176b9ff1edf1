import { api } from '../../api/client.ts';
import { reply } from '../../api/errors.ts';

/** The owner closed the browser's dialog, or there was no fitting passkey. */
export class PasskeyCancelled extends Error {
  override readonly name = 'PasskeyCancelled';
}

export const canUsePasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' &&
  typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function';

/** Signs in with a passkey that the browser offers. */
export async function signInWithPasskey(): Promise<void> {
  const options = await reply(api.POST('/v1/sign-in/passkey/options'));
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as unknown as PublicKeyCredentialRequestOptionsJSON,
  );
  const response = await credentialOf(navigator.credentials.get({ publicKey }));
  await reply(api.POST('/v1/sign-in/passkey', { body: { response } }));
}

/** Adds a passkey of this device to the account. */
export async function addPasskey(name: string): Promise<void> {
  const options = await reply(api.POST('/v1/me/passkeys/options'));
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  );
  const response = await credentialOf(navigator.credentials.create({ publicKey }));
  await reply(api.POST('/v1/me/passkeys', { body: { name, response } }));
}

async function credentialOf(
  requested: Promise<Credential | null>,
): Promise<Record<string, unknown>> {
  const credential = await requested.catch((error: unknown) => {
    if (error instanceof DOMException) throw new PasskeyCancelled(error.message, { cause: error });
    throw error;
  });
  if (!(credential instanceof PublicKeyCredential)) throw new PasskeyCancelled('No passkey.');
  return { ...credential.toJSON() };
}
