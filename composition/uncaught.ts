import { AsyncLocalStorage } from 'node:async_hooks';
import type { Logger } from './log.ts';

/** Describes the origin of work for the log. Called only after an uncaught error. */
export interface Origin {
  describe(): object;
}

/** An error that no code handled, and the work it came from where that is known. */
export interface Uncaught {
  readonly error: unknown;
  readonly origin: Origin | undefined;
}

/** Limit of the uncaught errors that are logged after the first one. */
const MAX_LOGGED = 20;

const origins = new AsyncLocalStorage<Origin>();

/** Runs a function on an origin, and all asynchronous work that it starts in the name of it. */
export const runAs = <O extends Origin, T>(origin: O, run: (origin: O) => T): T =>
  origins.run(origin, run, origin);

/**
 * Resolves with the first uncaught error: thrown in a callback, emitted without a listener, or the reason of an unhandled
 * rejection. From then on the state of the process must not be trusted: the caller finishes running work and exits. Each
 * such error is logged with its origin, or with what is `underWay` if the origin is unknown.
 */
export function firstUncaught(
  log: Logger,
  underWay: () => readonly Readonly<Record<string, unknown>>[],
): Promise<Uncaught> {
  let logged = 0;
  return new Promise((resolve) => {
    process.on('uncaughtException', (error: unknown, kind) => {
      const origin = origins.getStore();
      resolve({ error, origin });
      if (++logged > MAX_LOGGED) return;
      const context = origin?.describe() ?? { underWay: underWay() };
      log.fatal({ err: loggable(error), kind, ...context }, 'nothing handled an error');
    });
  });
}

/**
 * The parts of an error that say where it was thrown. Other properties may hold a query, a header or a body, and so may
 * an address in its message.
 */
function loggable(error: unknown): Readonly<Record<string, unknown>> {
  if (!(error instanceof Error)) return { type: typeof error };
  const { name, message, stack = '', cause } = error;
  const { code } = error as NodeJS.ErrnoException;
  // Without a prototype pino takes it for an error by this name.
  return Object.assign(Object.create(null) as object, {
    name,
    message: withoutSecrets(message),
    stack: withoutSecrets(stack),
    ...(typeof code === 'string' && { code }),
    ...(cause instanceof Error && { cause: withoutSecrets(`${cause.name}: ${cause.message}`) }),
  });
}

const withoutSecrets = (text: string): string =>
  text
    .replaceAll(/\bowt_[\w-]+/g, '[gone]')
    .replaceAll(/\b(bearer|basic)\s+[\w.~+/=-]+/gi, '$1 [gone]')
    .replaceAll(/(\w:\/\/)[^\s/@'"]+@/g, '$1[gone]@')
    .replaceAll(/(\/[^\s?'"]*)\?[^\s'")]+/g, '$1?[gone]');
