import { html, type Markup } from '../html.ts';
import { MAX_FILES } from '../request/multipart.ts';
import { previewOf, type PreviewedFile } from './object-page.ts';
import type { Page } from './document.ts';
import { addressIn, fileLine, passwordForm, type ShareAt, type ShownFile } from './components.ts';
import { day, filesWords, nameOf } from './format.ts';

/** The content of a share, as visitors see it. */
export interface ShownShare {
  readonly kind: 'folder' | 'file';
  readonly name: string;
  readonly resource_name: string;
  readonly role: 'viewer' | 'contributor';
  readonly unlocked: boolean;
  readonly expires_at: string | null;
  readonly items: readonly ShownFile[];
  readonly total: number;
}

export interface ShareView extends ShareAt {
  readonly limit: number;
  readonly offset: number;
  /** Number of files that the visitor has just uploaded. */
  readonly uploaded?: number;
  /** For a share of one file. */
  readonly file?: PreviewedFile;
}

/** The page of a share: its content, or the password form. */
export function sharePage(view: ShareView, share: ShownShare): Page {
  const title = share.name || share.resource_name || 'A locked share';
  if (!share.unlocked) return { title, main: lockedMain(view, share, title) };
  if (view.file) return { title, main: fileMain(share, title, view, view.file) };
  const takes = share.role === 'contributor' && share.kind === 'folder';
  return { title, main: folderMain(view, share, title, takes), ...(takes && { scripted: true }) };
}

const lockedMain = (view: ShareView, { kind }: ShownShare, title: string): Markup =>
  html`<h1>${nameOf(title)}</h1>
<p class="soft">This ${kind} is locked. Enter the password that came with the link.</p>
${passwordForm(view)}`;

const fileMain = (share: ShownShare, title: string, view: ShareView, file: PreviewedFile): Markup =>
  html`<h1>${nameOf(title)}</h1>
${heldOf(share)}${previewOf(view, file)}`;

const folderMain = (view: ShareView, share: ShownShare, title: string, takes: boolean): Markup =>
  html`<h1>${nameOf(title)}</h1>
${heldOf(share)}${view.uploaded !== undefined && html`<p class="good" role="status" id="came-in" tabindex="-1">${cameIn(view.uploaded)}</p>`}
<section aria-labelledby="files"><div class="bar"><h2 id="files">${filesWords(share.total)}</h2>${
    share.total > 0 &&
    html`<a class="button first" href="${addressIn(view, '/archive')}">Download all<span class="heard"> as one ZIP file</span></a>`
  }</div>
${listOf(view, share)}</section>
${takes && uploadForm(view)}`;

/** The type of the share, if its name does not show it, and its expiry. */
function heldOf({ kind, name, resource_name, expires_at }: ShownShare): Markup | false {
  const other = name !== '' && name !== resource_name;
  if (!other && expires_at === null) return false;
  return html`<p class="soft">${other && [`The ${kind} `, nameOf(resource_name), '. ']}${
    expires_at !== null && html`The link works until ${day(expires_at)}.`
  }</p>
`;
}

const cameIn = (count: number): string =>
  count === 1 ? 'Your file came in. Thank you.' : `Your ${count} files came in. Thank you.`;

function listOf(view: ShareView, { items, total }: ShownShare): Markup {
  if (total === 0) return html`<p class="soft empty">There is nothing in here yet.</p>`;
  return html`${
    items.length > 0
      ? html`<ul class="files">
${items.map((item, i) => fileLine(view, item, view.offset + i))}</ul>`
      : html`<p class="soft empty">There is nothing on this page.</p>`
  }${pagesOf(view, items.length, total)}`;
}

/** Links to the previous and the next page, if there is more than one page. */
function pagesOf(view: ShareView, count: number, total: number): Markup | false {
  const { limit, offset } = view;
  const before = offset > 0 && Math.max(0, Math.min(offset, total) - limit);
  const after = offset + limit < total && offset + limit;
  if (before === false && after === false) return false;
  const to = (start: number) => addressIn(view, `?limit=${limit}&offset=${start}`);
  return html`<nav class="pages" aria-label="Pages">${
    before !== false && html`<a class="button" rel="prev" href="${to(before)}">Newer</a>`
  }<span>${count > 0 && `${offset + 1} to ${offset + count} of ${total}`}</span>${
    after !== false && html`<a class="button" rel="next" href="${to(after)}">Older</a>`
  }</nav>`;
}

const uploadForm = (view: ShareView): Markup =>
  html`<section aria-labelledby="upload-title"><h2 id="upload-title">Add files</h2>
<form class="card" id="upload" method="post" action="${addressIn(view, '/uploads')}" enctype="multipart/form-data">
<label for="upload-files">Files to add, up to ${MAX_FILES} at a time</label>
<div class="row"><input id="upload-files" name="file" type="file" multiple required><button type="submit">Upload</button></div>
<p id="upload-state" role="status"></p></form></section>`;
