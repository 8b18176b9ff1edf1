import { registerHooks } from 'node:module';

const REFUSED =
  /^(?:node:)?(?:net|tls|dgram|dns|https?|http2|child_process|worker_threads|cluster|inspector|repl)(?:\/|$)/;

/**
 * Takes the network out of reach of every module loaded after this call. Node's permission model does
 * not cover it before Node 25.
 */
export function giveUpNetwork(): void {
  registerHooks({
    resolve(specifier, context, next) {
      if (REFUSED.test(specifier)) throw new Error(`${specifier} is out of reach of readers.`);
      return next(specifier, context);
    },
  });
  for (const name of ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest'])
    Reflect.deleteProperty(globalThis, name);
  Reflect.set(process, 'getBuiltinModule', undefined);
}
