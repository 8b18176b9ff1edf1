import type { Request, Response } from 'express';
import { withCompression } from '../response/compression.ts';
import { html, type Markup } from '../html.ts';
import { shareCookie, type ShareCookie } from '../request/share-cookie.ts';
import { ICON_PATH, SCRIPT_PATH, STYLE_PATH } from './assets.ts';
import type { BaseUrl } from './base-url.ts';
import { plainText } from './format.ts';

/** What a person is answered with: a page, or where to go on. */
export type PageReply = Page | { readonly seeOther: string; readonly cookie?: ShareCookie };

export interface Page {
  readonly title: string;
  readonly main: Markup;
  /** It has a form that the script helps with. */
  readonly scripted?: true;
}

/** Loads its style, its script and pictures from here and nothing from elsewhere; nothing in it runs. */
const policyOf = ({ scripted }: Page): string =>
  [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    ...(scripted ? ["script-src 'self'", "connect-src 'self'"] : []),
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** The address of what is shared is its key: it is told to nobody, and nothing of it is kept or found. */
export const PRIVATE_PAGE_HEADERS = {
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex, nofollow',
} as const;

export function sendPage(
  request: Request,
  response: Response,
  reply: PageReply,
  site: BaseUrl,
): void {
  if ('seeOther' in reply) {
    const secure = site.secure || request.secure;
    if (reply.cookie) response.append('Set-Cookie', shareCookie(reply.cookie, secure));
    response.setHeader('Cache-Control', 'private, no-store');
    response.status(303).setHeader('Location', reply.seeOther).end();
    return;
  }
  const html = renderDocument(response, reply, site);
  withCompression(request, response).status(200).type('html').send(html);
}

/** The whole document, its headers set. */
export function renderDocument(response: Response, page: Page, site: BaseUrl): string {
  response.setHeader('Cache-Control', 'private, no-store');
  response.setHeader('Content-Security-Policy', policyOf(page));
  return htmlOf(page, site);
}

const htmlOf = ({ title, main, scripted }: Page, { prefix }: BaseUrl): string =>
  html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${plainText(title)}</title>
<link rel="icon" type="image/svg+xml" href="${prefix}${ICON_PATH}"><link rel="stylesheet" href="${prefix}${STYLE_PATH}">${scripted && html`<script src="${prefix}${SCRIPT_PATH}" defer></script>`}</head>
<body><main>
${main}
</main></body></html>
`.html;
