import type { RequestListener } from 'node:http';
import type { Request, Response } from 'express';
import { corsMiddleware } from './cors.ts';
import { answerEarly, type EarlyAnswerOptions } from '../response/error.ts';
import { OVERLOADED } from '../pipeline/errors.ts';

export interface ShedOptions extends EarlyAnswerOptions {
  readonly corsOrigins: readonly string[];
}

/** Those who are sent away together should not come back together. */
const LEAST_SECONDS = 1;
const MOST_SECONDS = 3;

/**
 * Tells a request that there is too much to do, in the form that every refusal has. Nobody is looked up, nothing is read
 * and nothing counted: it has to cost a small part of what it saves.
 */
export function shedding(options: ShedOptions): RequestListener {
  const allow = options.corsOrigins.length > 0 ? corsMiddleware(options.corsOrigins) : undefined;
  const tell: RequestListener = (request, response) => {
    const spread = MOST_SECONDS - LEAST_SECONDS + 1;
    const retryAfter = LEAST_SECONDS + Math.floor(Math.random() * spread);
    answerEarly(options, request, response, { ...OVERLOADED, retryAfter });
  };
  return (request, response) => {
    if (!allow) tell(request, response);
    // A preflight ends here: whoever may not ask in the first place could never be told to come later.
    else allow(request as Request, response as Response, () => tell(request, response));
  };
}
