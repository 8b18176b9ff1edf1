import { InvalidInput } from '../../../core/shared/errors.ts';
import { headerOf } from '../request/headers.ts';
import type { Route } from '../route.ts';
import {
  compileRequest,
  type RawRequest,
  type RequestValues,
} from '../validation/compile-request.ts';
import { valueError } from '../validation/detail.ts';
import { isSecretName } from '../validation/input-redaction.ts';
import { parsePreservingIntegers, textOfBody } from '../validation/json/json-body.ts';
import { unprocessable } from './errors.ts';
import type { Exchange } from './exchange.ts';
import type { RequestBody } from './read-body.ts';

/** Makes the stage that checks path, query, headers and body against the schemas of a route (422, with all errors). */
export function createValidator(
  route: Route,
): (exchange: Exchange, body: RequestBody) => RequestValues {
  const check = compileRequest(route);
  const readsHeaders = route.acceptsIdempotencyKey === true;
  return ({ request, params }, body) => {
    const raw: RawRequest = {
      params,
      url: request.url ?? '',
      ...(readsHeaders && { header: (name: string) => headerOf(request, name) }),
      ...(body.raw !== undefined && { body: body.raw }),
    };
    const result = check(raw);
    if (!result.ok) throw unprocessable(result.detail);
    return result.values;
  };
}

/** An error that the core found in a field as a validation error, with the value that was sent. Other errors unchanged. */
export function withSentValue(error: unknown, exchange: Exchange, body: RequestBody): unknown {
  if (!(error instanceof InvalidInput)) return error;
  const { part, field, message } = error;
  // Neither a part as a whole nor a secret is sent back.
  if (field === '') return unprocessable([valueError([part], message)]);
  const sent = isSecretName(field) ? undefined : sentValue(part, field, exchange, body.bytes);
  return unprocessable([valueError([part, field], message, sent)]);
}

function sentValue(
  part: InvalidInput['part'],
  field: string,
  { params, request }: Exchange,
  body: Uint8Array | undefined,
): unknown {
  if (part === 'path') return (Object.hasOwn(params, field) ? params[field] : undefined) ?? null;
  if (part === 'query')
    return new URL(request.url ?? '', 'http://localhost').searchParams.getAll(field).at(-1) ?? null;
  if (body === undefined || body.length === 0) return null;
  // It has passed validation, so it can be parsed.
  const sent = parsePreservingIntegers(textOfBody(body)) as Record<string, unknown>;
  return (Object.hasOwn(sent, field) ? sent[field] : undefined) ?? null;
}
