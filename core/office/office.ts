import type { OfficeEngine } from '../../ports/office.ts';

/** The document server of this installation. */
export interface Office {
  readonly engine: OfficeEngine;
  /** Where browsers load the editor from, without a slash at its end. */
  readonly serverUrl: string;
}

export interface OfficeDeps {
  /** null where none is connected, or it is switched off. */
  readonly office: Office | null;
}

/** Within which an answer is of use to somebody who waits for a page. */
export const REACH_MS = 2_000;

const HOUR_MS = 3_600_000;
/** The engine reads a document when it is opened. */
export const FILE_MS = HOUR_MS;
/** Whoever opened a document may leave it open over a weekend and longer; what the engine tells is signed besides. */
export const CALLBACK_MS = 7 * 24 * HOUR_MS;
/** A session is known for longer than anybody may tell of it. */
export const SESSION_MS = CALLBACK_MS + 24 * HOUR_MS;
