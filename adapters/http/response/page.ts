import type { Exchange } from '../pipeline/exchange.ts';
import { pagePolicy, renderDocument, type Page, type PageReply } from '../pages/document.ts';
import { isSecure } from '../request/forwarded.ts';
import { shareCookie } from '../request/share-cookie.ts';
import { sendText } from './text.ts';

/** Sends a page, or redirects to one. */
export function sendPage(exchange: Exchange, reply: PageReply): void {
  if (!('seeOther' in reply)) return sendText(exchange, 200, 'html', renderPage(exchange, reply));
  const { request, response, context } = exchange;
  const secure = context.baseUrl.secure || isSecure(request, context.trustProxy);
  if (reply.cookie) response.appendHeader('Set-Cookie', shareCookie(reply.cookie, secure));
  response.setHeader('Cache-Control', 'private, no-store');
  response.statusCode = 303;
  response.setHeader('Location', reply.seeOther).end();
}

/** The HTML of a page; its headers are set. */
export function renderPage({ response, context }: Exchange, page: Page): string {
  response.setHeader('Cache-Control', 'private, no-store');
  response.setHeader('Content-Security-Policy', pagePolicy(page));
  return renderDocument(page, context.baseUrl);
}
