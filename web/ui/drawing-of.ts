import type { components } from '../api/schema.js';
import type { PageDrawing } from './page-drawings.tsx';

type Item = Pick<components['schemas']['ObjectListItem'], 'kind' | 'doc_type'>;

const BY_TYPE: Readonly<Partial<Record<Item['doc_type'], PageDrawing>>> = {
  contract: 'contract',
  certificate: 'contract',
  invoice: 'invoice',
  receipt: 'invoice',
  tax: 'invoice',
  bank_statement: 'invoice',
  report: 'report',
  id_document: 'passport',
  policy: 'policy',
  meeting_notes: 'minutes',
  note: 'note',
  letter: 'mail',
};
const BY_KIND: Readonly<Partial<Record<Item['kind'], PageDrawing>>> = {
  spreadsheet: 'sheet',
  presentation: 'report',
  image: 'scan',
  email: 'mail',
  note: 'note',
};

/** The drawing that stands in for a picture of the document. */
export const drawingOf = ({ kind, doc_type: type }: Item): PageDrawing =>
  BY_TYPE[type] ?? BY_KIND[kind] ?? 'text';
