import { html, type Markup } from '../html.ts';
import type { Page } from './document.ts';
import {
  addressIn,
  fileFacts,
  openLink,
  pictureOf,
  saveLink,
  type ShareAt,
  type ShownFile,
} from './components.ts';
import { nameOf } from './format.ts';

/** A file with the beginning of its text, as visitors see it. */
export interface PreviewedFile extends ShownFile {
  readonly text: string | null;
  readonly text_complete: boolean;
  readonly text_awaited: boolean;
  readonly newer: string | null;
  readonly older: string | null;
}

/** The page of one file of a share: preview, text and download. */
export const objectPage = (at: ShareAt, file: PreviewedFile, place?: number): Page => ({
  title: file.filename,
  main: html`<p><a href="${addressIn(at)}">← All that is shared</a></p>
<h1>${nameOf(file.filename)}</h1>
${place !== undefined && besidesOf(at, file, place)}${previewOf(at, file)}`,
});

/** Links to the previous and the next file, for leafing through pictures. */
function besidesOf(at: ShareAt, { newer, older }: PreviewedFile, place: number): Markup | false {
  if (newer === null && older === null) return false;
  const to = (id: string, where: number) => addressIn(at, `/objects/${id}?at=${where}`);
  return html`<nav class="pages" aria-label="Other files">${
    newer !== null && html`<a class="button" rel="prev" href="${to(newer, place - 1)}">Newer</a>`
  }${older !== null && html`<a class="button" rel="next" href="${to(older, place + 1)}">Older</a>`}</nav>
`;
}

/** The part below the heading. A share of a single file uses it too. */
export const previewOf = (at: ShareAt, file: PreviewedFile): Markup =>
  html`${fileFacts(file)}<p class="actions">${saveLink(at, file, 'first')}${openLink(at, file)}</p>
${pictureOf(at, file)}${textOf(file)}`;

function textOf({ text, text_complete, text_awaited, mime }: PreviewedFile): Markup | false {
  if (text !== null)
    return html`<section aria-labelledby="text"><h2 id="text">${mime === 'application/internet-shortcut' ? 'Address' : 'Text'}</h2><pre dir="auto">${text}</pre>${
      !text_complete &&
      html`<p class="soft">The text goes on. Download the file to read it all.</p>`
    }</section>`;
  return (
    text_awaited && html`<p class="soft">The text is still being read. Look again in a moment.</p>`
  );
}
