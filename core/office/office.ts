import type { OfficeEngine } from '../../ports/office.ts';

/** The document server of this installation. */
export interface Office {
  readonly engine: OfficeEngine;
  /** The URL from which browsers load the editor, without a trailing slash. */
  readonly serverUrl: string;
}

export interface OfficeDeps {
  /** null if none is connected, or it is disabled. */
  readonly office: Office | null;
}

/** Time limit of requests for which a user waits. */
export const REACH_MS = 2_000;

const HOUR_MS = 3_600_000;
/** Lifetime of the download URL. The document server reads a document when it is opened. */
export const FILE_MS = HOUR_MS;
/**
 * Lifetime of the callback URL. A user may leave a document open over a weekend or longer; callbacks are signed as
 * well.
 */
export const CALLBACK_MS = 7 * 24 * HOUR_MS;
/** Sessions are stored longer than their callbacks are accepted. */
export const SESSION_MS = CALLBACK_MS + 24 * HOUR_MS;
