import { html, type Markup } from '../html.ts';
import { shareAddress, type BaseUrl } from './base-url.ts';
import {
  day,
  hasPicture,
  kindWord,
  nameOf,
  opensInBrowser,
  plainText,
  sizeWords,
  tileWord,
} from './format.ts';

/** The data of a file that visitors see. */
export interface ShownFile {
  readonly id: string;
  readonly filename: string;
  readonly mime: string;
  readonly size: number;
  readonly created_at: string;
}

/** The share that a page belongs to. */
export interface ShareAt {
  readonly site: BaseUrl;
  readonly token: string;
}

export const addressIn = ({ site, token }: ShareAt, beneath = ''): string =>
  shareAddress(site, token, beneath);

/** Kind, size and date in one line. */
export const fileFacts = ({ mime, size, created_at }: ShownFile): Markup =>
  html`<p class="facts">${kindWord(mime)} · ${sizeWords(size)} · ${day(created_at)}</p>`;

/** A thumbnail, or the word that replaces it. It has no text of its own for screen readers: the name is next to it. */
export const fileIcon = (at: ShareAt, file: ShownFile): Markup =>
  html`<span class="tile" aria-hidden="true"><span>${tileWord(file)}</span>${
    hasPicture(file.mime) &&
    html`<img src="${addressIn(at, `/objects/${file.id}/thumbnail?size=small`)}" alt="" loading="lazy" decoding="async" width="56" height="56">`
  }</span>`;

/** The preview of a file at the size in which the page shows it. */
export const pictureOf = (at: ShareAt, file: ShownFile): Markup | false =>
  hasPicture(file.mime) &&
  html`<figure><img src="${addressIn(at, `/objects/${file.id}/thumbnail?size=large`)}" alt="${
    file.mime === 'application/pdf' ? 'The first page' : 'The picture'
  }"></figure>`;

export const saveLink = (at: ShareAt, { id, filename }: ShownFile, first?: 'first'): Markup =>
  html`<a class="button${first && ' first'}" href="${addressIn(at, `/objects/${id}/content`)}">Download<span class="heard"> ${plainText(filename)}</span></a>`;

export const openLink = (at: ShareAt, { id, mime }: ShownFile): Markup | false =>
  opensInBrowser(mime) &&
  html`<a class="button" href="${addressIn(at, `/objects/${id}/content?disposition=inline`)}" target="_blank" rel="noopener noreferrer">Open<span class="heard"> in a new tab</span></a>`;

/** One entry of a list of files; `place` counts from 0. */
export const fileLine = (at: ShareAt, file: ShownFile, place: number): Markup =>
  html`<li>${fileIcon(at, file)}<a class="name" href="${addressIn(at, `/objects/${file.id}?at=${place}`)}">${nameOf(file.filename)}</a>${fileFacts(file)}${saveLink(at, file)}</li>
`;

/** The password form of a share. `wrong` describes the error of the last password. */
export const passwordForm = (at: ShareAt, wrong?: string): Markup =>
  html`<form class="card" method="post" action="${addressIn(at, '/unlock')}">${
    wrong !== undefined && html`<p class="trouble" role="alert" id="trouble">${wrong}</p>`
  }<label for="password">Password</label>
<div class="row"><input id="password" name="password" type="password" required autocomplete="current-password"${
    wrong !== undefined && html` autofocus aria-invalid="true" aria-describedby="trouble"`
  }><button type="submit">Unlock</button></div></form>`;
