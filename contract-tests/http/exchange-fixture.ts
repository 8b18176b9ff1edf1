import type { IncomingMessage, ServerResponse } from 'node:http';
import { Exchange, type ServerContext } from '../../adapters/http/pipeline/exchange.ts';
import { ReplacedSecrets } from '../../adapters/http/request/replaced-secrets.ts';
import type { Core } from '../../core/index.ts';

const context: ServerContext = {
  core: {} as Core,
  baseUrl: { prefix: '', host: undefined, secure: false },
  trustProxy: 0,
  variesByOrigin: false,
  replacedSecrets: new ReplacedSecrets(),
  checkReplies: true,
  stopping: () => false,
  onAccess: () => undefined,
  onError: () => undefined,
};

/** An exchange of a server without a core, for parts of the adapter that are tested alone. */
export const exchangeFor = (request: IncomingMessage, response: ServerResponse): Exchange =>
  new Exchange(request, response, context);
