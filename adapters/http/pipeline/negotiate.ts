import type { IncomingMessage } from 'node:http';
import { PRIVATE_PAGE_HEADERS } from '../pages/document.ts';
import { prefersHtml } from '../request/accept.ts';
import { FORM } from '../request/body-reader.ts';
import { addVary } from '../response/common-headers.ts';
import type { Route } from '../route.ts';
import type { Exchange } from './exchange.ts';

/**
 * A form that is sent to a page where JSON is accepted. Its sender is treated as a browser, unless it requests JSON.
 */
const isForm = ({ headers }: IncomingMessage): boolean =>
  FORM.test(headers['content-type'] ?? '') && !/json/i.test(headers.accept ?? '');

/** Chooses between JSON and a page, for routes that have pages. Errors of all later stages have the same format. */
export function negotiate(exchange: Exchange, route: Route): void {
  if (!route.errorPage) return;
  const { request, response } = exchange;
  addVary(response, 'Accept');
  for (const [name, value] of Object.entries(PRIVATE_PAGE_HEADERS)) response.setHeader(name, value);
  const sendsForm = route.body && 'json' in route.body && isForm(request);
  if (prefersHtml(request) || sendsForm) exchange.format = 'page';
}
