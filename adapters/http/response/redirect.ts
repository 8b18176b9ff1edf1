import type { Exchange } from '../pipeline/exchange.ts';
import { changeFlowCookie } from '../request/flow-cookie.ts';
import { changeSessionCookie } from '../request/session-cookie.ts';
import type { AnyRedirectRoute, AnyRequest, Route } from '../route.ts';

export const isRedirect = (route: Route): route is AnyRedirectRoute => 'seeOther' in route.reply;

/** Runs an operation that redirects the browser (303). No site learns the address of the operation as a referrer. */
export async function sendRedirect(
  exchange: Exchange,
  route: AnyRedirectRoute,
  input: AnyRequest,
): Promise<void> {
  const { location, session, flow } = await route.run(exchange.context.core, input as never);
  const { response } = exchange;
  if (session) changeSessionCookie(exchange, session);
  if (flow) changeFlowCookie(exchange, flow);
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.statusCode = 303;
  response.setHeader('Location', location).end();
}
