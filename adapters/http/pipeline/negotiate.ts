import type { Request, Response } from 'express';
import type { Core } from '../../../core/index.ts';
import type { Caller } from '../../../core/shared/caller.ts';
import { forbidden } from '../../../core/shared/common-errors.ts';
import { prefersHtml } from '../request/accept.ts';
import { FORM } from '../request/body-reader.ts';
import { isCrossSiteRequest } from '../server/cors.ts';
import type { ErrorReply } from './errors.ts';
import { admit, admitEngine, admitPlatform, admitVisitor } from './authenticate.ts';
import { headerOf } from '../request/headers.ts';
import type { Actor } from './idempotency.ts';
import { renderDocument, PRIVATE_PAGE_HEADERS } from '../pages/document.ts';
import type { BaseUrl } from '../pages/base-url.ts';
import type { UploadTarget, Route, RouteRequest } from '../route.ts';
import { shareAccessCookie } from '../request/share-cookie.ts';

export interface Exchange {
  readonly request: Request;
  readonly response: Response;
}

/** Who asks, once they were let in. */
export interface Asking {
  /** Whose data it is about; nobody's, where a visitor only brings a secret. */
  readonly who: Actor | undefined;
  readonly mayChange: boolean;
  /** How the operation is told of it. */
  as(who: Actor | undefined): Partial<RouteRequest<unknown, unknown, unknown>>;
}

/** A form of a page where JSON is taken: whatever sends one is a browser, or acts like one, unless it asks for JSON. */
const isForm = ({ headers }: Request): boolean =>
  FORM.test(headers['content-type'] ?? '') && !/json/i.test(headers.accept ?? '');

/** Whether somebody wants a page where there are some; whatever fails from here on is then told as one. */
export function takesPage(route: Route, site: BaseUrl, { request, response }: Exchange): boolean {
  if (!route.errorPage) return false;
  response.vary('Accept').set(PRIVATE_PAGE_HEADERS);
  const form = route.body && 'json' in route.body && isForm(request);
  if (!prefersHtml(request) && !form) return false;
  const params = request.params as Readonly<Record<string, string>>;
  response.locals['failurePage'] = (failure: ErrorReply) => {
    const page = route.errorPage?.(failure, params, site);
    return page && renderDocument(response, page, site);
  };
  return true;
}

export async function askingOf(
  route: Route,
  core: Core,
  site: BaseUrl,
  { request, response }: Exchange,
  asPage: boolean,
): Promise<Asking> {
  if (route.access === 'visitor') {
    const visitor = await admitVisitor(core, request, response, route.isThumbnail === true);
    // What a browser sends along by itself must not serve whoever made it send that.
    const byBrowser = asPage || shareAccessCookie(request) !== undefined;
    if (route.method !== 'get' && byBrowser && isCrossSiteRequest(request, site))
      throw sentByOthers();
    const params = request.params as Readonly<Record<string, string>>;
    const mayRepeat = headerOf(request, 'idempotency-key') !== undefined;
    const who = 'host' in route ? await route.host?.(core, visitor, params, mayRepeat) : undefined;
    return { who, mayChange: true, as: (host) => ({ visitor, host: host as UploadTarget }) };
  }
  if (route.access === 'platform') {
    const bot = await admitPlatform(core, request, response);
    response.locals['ownerId'] = bot.scope.ownerId;
    return { who: undefined, mayChange: true, as: () => ({ bot }) };
  }
  if (route.access === 'engine') {
    const engine = await admitEngine(core, request, response, route.capabilityKind ?? 'file');
    return { who: undefined, mayChange: true, as: () => ({ engine }) };
  }
  const who = await admit(core, request, response);
  response.locals['ownerId'] = who.scope.ownerId;
  const mayChange = route.method === 'get' || who.token.access === 'full';
  return { who, mayChange, as: (caller) => ({ caller: caller as Caller }) };
}

const sentByOthers = () => forbidden({}, undefined, 'This was sent by a page of somebody else.');
