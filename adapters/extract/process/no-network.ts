import { registerHooks } from 'node:module';

const REFUSED =
  /^(?:node:)?(?:net|tls|dgram|dns|https?|http2|child_process|worker_threads|cluster|inspector|repl)(?:\/|$)/;

/**
 * Takes the network out of reach of every module loaded after this call. Node's permission model does
 * not cover it before Node 25. A module that a library asks for when it is loaded, and that the permission
 * model makes harmless, can be left to it by `but`.
 */
export function giveUpNetwork(but?: 'child_process'): void {
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier.replace(/^node:/, '') !== but && REFUSED.test(specifier))
        throw new Error(`${specifier} is out of reach of readers.`);
      return next(specifier, context);
    },
  });
  for (const name of ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest'])
    Reflect.deleteProperty(globalThis, name);
  Reflect.set(process, 'getBuiltinModule', undefined);
}
