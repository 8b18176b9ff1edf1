import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Request, Response } from 'express';
import { hasBody } from './body.ts';
import { crossOrigin } from './cross-origin.ts';
import { accessEntry, stampHeaders, type AccessEntry } from './envelope.ts';
import { GONE, OVERLOADED } from './failures.ts';
import { answerUnread } from './unread.ts';

export interface ShedOptions {
  readonly corsOrigins: readonly string[];
  stopping(): boolean;
  onAccess(entry: AccessEntry): void;
}

/** Those who are sent away together should not come back together. */
const LEAST_SECONDS = 1;
const MOST_SECONDS = 3;

const TEXT = JSON.stringify(OVERLOADED.body);

/**
 * Tells a request that there is too much to do, in the form that every refusal has. Nobody is looked up, nothing is read
 * and nothing counted: it has to cost a small part of what it saves.
 */
export function shedding(options: ShedOptions): RequestListener {
  const allow = options.corsOrigins.length > 0 ? crossOrigin(options.corsOrigins) : undefined;
  const tell = (request: IncomingMessage, response: ServerResponse): void => {
    const from = performance.now();
    const requestId = stampHeaders(options, request, response);
    const gone = response.destroyed;
    const { status } = gone ? GONE : OVERLOADED;
    if (!gone) refuse(request, response);
    const told = { requestId, route: 'none', from, ownerId: undefined };
    options.onAccess(accessEntry(request, status, told));
  };
  return (request, response) => {
    if (!allow) tell(request, response);
    // A preflight ends here: whoever may not ask in the first place could never be told to come later.
    else allow(request as Request, response as Response, () => tell(request, response));
  };
}

function refuse(request: IncomingMessage, response: ServerResponse): void {
  const spread = MOST_SECONDS - LEAST_SECONDS + 1;
  response.statusCode = OVERLOADED.status;
  response.setHeader('Retry-After', LEAST_SECONDS + Math.floor(Math.random() * spread));
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  if (!request.complete && hasBody(request)) answerUnread(request, response, TEXT);
  else response.setHeader('Content-Length', Buffer.byteLength(TEXT)).end(TEXT);
}
