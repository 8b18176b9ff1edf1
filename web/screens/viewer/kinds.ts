import type { components } from '../../api/schema.js';
import { to } from '../../app/address.ts';

export type DocumentDetail = components['schemas']['ObjectDetail'];

/** How a document is shown as it is. `none`: its text, or its facts. */
export type PageKind = 'pdf' | 'picture' | 'audio' | 'video' | 'none';

export function pageKindOf({ kind, mime, size }: DocumentDetail): PageKind {
  if (size === 0) return 'none';
  if (mime === 'application/pdf') return 'pdf';
  if (kind === 'image') return 'picture';
  if (kind === 'audio' || kind === 'video') return kind;
  return 'none';
}

/** As a picture it runs no script and loads nothing. */
const SVG = 'image/svg+xml';

/** Pictures that browsers show. */
const SHOWN_PICTURES: readonly string[] = [
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/bmp',
  SVG,
];

export const isShownByBrowsers = ({ mime }: DocumentDetail): boolean =>
  SHOWN_PICTURES.includes(mime);

/** Whether an element can not load the file from its address, since the service sends it as a download. */
export const needsBlob = ({ mime, is_hidden: isHidden }: DocumentDetail): boolean =>
  isHidden || mime === SVG;

export const isMarkdown = ({ kind, mime, original_name: name }: DocumentDetail): boolean =>
  kind === 'note' || mime === 'text/markdown' || /\.(md|markdown)$/i.test(name);

/** Whether the columns of the text matter, as in code, data and logs: every text file but one of prose. */
export const hasColumns = ({ kind, original_name: name }: DocumentDetail): boolean =>
  kind === 'text' && /\.(?!te?xt$|md$|markdown$)[^.]+$/i.test(name);

/** Whether the file itself is text that is edited here; a correction of the reading otherwise. */
export const isEditable = ({ editor, kind }: DocumentDetail): boolean =>
  editor === 'text' || kind === 'note';

/** Whether a document server edits the file. */
export const isOffice = ({ editor }: DocumentDetail): boolean => editor === 'office';

/** Whether the file itself is edited in the app. */
export const hasOwnEditor = (shown: DocumentDetail): boolean =>
  isEditable(shown) || isOffice(shown);

/** A table whose file is its text. */
export const isTextTable = ({ editor, mime }: DocumentDetail): boolean =>
  editor === 'office' && mime === 'text/csv';

/** Where what was read of the file is corrected: beside the file's own editor, if it has one. */
export const correctPath = (shown: DocumentDetail): string =>
  `/object/${shown.id}/${isOffice(shown) ? 'correct' : 'edit'}`;

/** Whether the picture itself is edited in the app. */
export const isEditablePicture = ({ image_editable: isEditable, size }: DocumentDetail): boolean =>
  isEditable && size > 0;

export const picturePath = ({ id }: DocumentDetail): string => `/object/${id}/picture`;
/** Whether a link can show it to others: nothing hidden or in the trash is shared. */
export const isShareable = ({
  is_hidden: isHidden,
  deleted_at: trashed,
}: DocumentDetail): boolean => !isHidden && trashed === null;

/** Where a link to it is made. */
export const sharePath = ({ id }: DocumentDetail): string => to(`/shares/new?object=${id}`);
