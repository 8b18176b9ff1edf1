import { html, type Markup } from '../html.ts';
import type { ShareCookie } from '../request/share-cookie.ts';
import { ICON_PATH, SCRIPT_PATH, STYLE_PATH } from './assets.ts';
import type { BaseUrl } from './base-url.ts';
import { plainText } from './format.ts';

/** A page, or a redirect to one. */
export type PageReply = Page | { readonly seeOther: string; readonly cookie?: ShareCookie };

export interface Page {
  readonly title: string;
  readonly main: Markup;
  /** Whether the page has a form that uses the script. */
  readonly scripted?: true;
}

/** Style, script and images of the service only, and no inline code. */
export const pagePolicy = ({ scripted }: Page): string =>
  [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    ...(scripted ? ["script-src 'self'", "connect-src 'self'"] : []),
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** The URL of a share is its secret: it is not sent to other sites, and no search engine indexes it. */
export const PRIVATE_PAGE_HEADERS = {
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex, nofollow',
} as const;

/** A page as an HTML document. */
export const renderDocument = ({ title, main, scripted }: Page, { prefix }: BaseUrl): string =>
  html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${plainText(title)}</title>
<link rel="icon" type="image/svg+xml" href="${prefix}${ICON_PATH}"><link rel="stylesheet" href="${prefix}${STYLE_PATH}">${scripted && html`<script src="${prefix}${SCRIPT_PATH}" defer></script>`}</head>
<body><main>
${main}
</main></body></html>
`.html;
