import { signal } from '@preact/signals';

/** Undefined until the service has answered. Any 401 makes it false. */
export const isSignedIn = signal<boolean | undefined>(undefined);

/** Why the service did not answer when the app was opened. */
export const openFailure = signal<unknown>(undefined);

/**
 * The session of the browser is no longer that of the owner this document was loaded for. The document sends nothing more:
 * it would reach the workspace of the other owner.
 */
export const hasOtherOwner = signal(false);
