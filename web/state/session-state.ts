import { signal } from '@preact/signals';

/** Undefined until the service has answered. Any 401 makes it false. */
export const isSignedIn = signal<boolean | undefined>(undefined);

/** Why the service did not answer when the app was opened. */
export const openFailure = signal<unknown>(undefined);
