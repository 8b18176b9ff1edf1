import type { components } from '../api/schema.js';

type Read = Pick<
  components['schemas']['ObjectDetail'],
  'status' | 'kind' | 'needs_manual' | 'deleted_at'
>;

/**
 * Whether a document has text that could not be read: the reading failed, or it is encrypted, a scan without OCR, or of a
 * format without a reader. A picture seldom has text, and is whole without it.
 */
export const isUnreadable = ({ status, kind, needs_manual: needsManual }: Read): boolean =>
  status === 'failed' || (status === 'ready' && needsManual && kind !== 'image');
