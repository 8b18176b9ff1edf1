export const UNKNOWN_CLIENT = 'Unknown browser';
export const MAX_CLIENT_NAME_LENGTH = 80;

/**
 * Names of browsers for the list of sessions.
 *
 * Contract (contract-tests/suites/client-names.ts):
 * - `nameOf` returns the browser and the operating system of a user agent in words.
 * - The name of a user agent that is empty, unknown or malformed begins with `UNKNOWN_CLIENT`.
 * - A name holds only names of known products, and at most `MAX_CLIENT_NAME_LENGTH` characters.
 */
export interface ClientNames {
  nameOf(userAgent: string): string;
}
