import { signal } from '@preact/signals';
import { api } from '../api/client.ts';
import type { components } from '../api/schema.js';
import { toApiError } from '../api/errors.ts';
import { isSignedIn, openFailure } from './session-state.ts';
import { loadSettings } from './settings.ts';

export type Me = components['schemas']['Me'];

/** The signed-in owner. */
export const me = signal<Me | undefined>(undefined);

/**
 * Reads the owner of the session, and applies the owner's settings. Sets `isSignedIn` to false if there is none. A service
 * that fails does not end the session: that throws.
 */
export async function loadSession(): Promise<void> {
  const [{ data, error, response }] = await Promise.all([api.GET('/v1/me'), loadSettings()]);
  if (!data && response.status >= 500) throw toApiError(response, error);
  if (data) me.value = data;
  isSignedIn.value = data !== undefined;
}

/** Opens the session when the app is opened. Without a network, or if the service fails, the app says so. */
export async function openSession(): Promise<void> {
  try {
    await loadSession();
    openFailure.value = undefined;
  } catch (error) {
    openFailure.value = error;
  }
}
