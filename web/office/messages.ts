import type { components } from '../api/schema.js';

/** From the app to the page that frames the editor, which passes it on to the document of the editor. */
export interface OpenEditor {
  readonly type: 'open';
  readonly serverUrl: string;
  readonly config: components['schemas']['OfficeConfig']['config'];
  /** Names the editor for screen readers. */
  readonly title: string;
}

/**
 * What the editor reports to the app. `ready`: it waits for the configuration. `missing`: its script could not be loaded.
 * `changed`, `unchanged`: whether there are edits that the document server does not have yet. `outdated`: the document has
 * another version since. `failed`: the editor reports an error.
 */
export const REPORTS = [
  'ready',
  'missing',
  'shown',
  'changed',
  'unchanged',
  'outdated',
  'close',
  'failed',
] as const;
export type Report = (typeof REPORTS)[number];

export const isReport = (data: unknown): data is Report => REPORTS.some((each) => each === data);

/** Other programs, such as those that test pages, send messages to frames as well. */
export const isOpenEditor = (data: unknown): data is OpenEditor =>
  typeof data === 'object' && data !== null && 'type' in data && data.type === 'open';
