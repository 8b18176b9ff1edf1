import { registerHooks } from 'node:module';

const REFUSED =
  /^(?:node:)?(?:net|tls|dgram|dns|https?|http2|child_process|worker_threads|cluster|inspector|repl)(?:\/|$)/;

/**
 * Removes network access from every module loaded after this call, since Node's permission model does not cover it
 * before Node 25. `but` exempts a module that a library requires and that the permission model makes harmless.
 */
export function disableNetwork(but?: 'child_process'): void {
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier.replace(/^node:/, '') !== but && REFUSED.test(specifier))
        throw new Error(`${specifier} is disabled in reader processes.`);
      return next(specifier, context);
    },
  });
  for (const name of ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest'])
    Reflect.deleteProperty(globalThis, name);
  Reflect.set(process, 'getBuiltinModule', undefined);
}
