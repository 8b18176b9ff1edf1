import type { JsonRoute } from '../route.ts';
import { compileReply } from '../validation/compile-request.ts';

type AnyJson = JsonRoute<unknown, unknown, unknown, unknown, unknown>;

/** A route's `present`; with `checkReplies` a reply that breaks its own schema is a defect. */
export function createPresenter(
  route: AnyJson,
  checkReplies: boolean,
): (result: unknown) => unknown {
  const check = checkReplies ? compileReply(route.reply.json) : null;
  return (result) => {
    const reply = route.present(result);
    const wrong = check?.(reply);
    if (wrong) throw new Error(`${route.method} ${route.path} breaks its schema: ${wrong}`);
    return reply;
  };
}
