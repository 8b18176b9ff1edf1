import { hash } from 'node:crypto';
import type { Core } from '../../../core/index.ts';
import type { JsonRoute, Route, RouteRequest } from '../route.ts';

type AnyJson = JsonRoute<unknown, unknown, unknown, unknown, unknown>;
type Tag = (url: string, asked: RouteRequest<unknown, unknown, unknown>) => Promise<string>;

/** Weak, because the same answer may go out compressed or not. */
export const weakEtag = (body: Buffer | string): string => `W/"${hash('sha1', body, 'base64url')}"`;

/**
 * How a route's answers are told apart without being made; nothing for one that can not tell. The tag holds the form
 * of the answer, because another release may answer in another, and owner and address, because it is compared with
 * whatever the client has.
 */
export function etagFor(route: Route, core: Core): Tag | undefined {
  const etag = (route as AnyJson).etag?.bind(route);
  if (!etag) return undefined;
  const form = hash('sha1', JSON.stringify((route as AnyJson).reply.json), 'base64url');
  return async (url, asked) =>
    weakEtag(`${form}\n${asked.caller.scope.ownerId}\n${url}\n${await etag(core, asked)}`);
}

/** RFC 9110 §13.1.2: any tag, or one of the list by the weak comparison. */
export const matchesEtag = (condition: string, etag: string): boolean =>
  condition.trim() === '*' ||
  condition.split(',').some((each) => opaque(each.trim()) === opaque(etag));

const opaque = (etag: string): string => (etag.startsWith('W/') ? etag.slice(2) : etag);
