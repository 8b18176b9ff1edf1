import type { Request } from 'express';
import type { InvalidInput } from '../../core/shared/errors.ts';
import { unprocessable, type HttpFailure } from './failures.ts';
import { valueError } from './validation/detail.ts';
import { isSecretName } from './validation/echo.ts';

type Addressed = Pick<Request, 'params' | 'url'>;

/** What the core found wrong with a field, told like the faults that its schema would have found: with what was sent. */
export function invalidInput(
  { part, field, message }: InvalidInput,
  request: Addressed,
  body: Uint8Array | undefined,
): HttpFailure {
  // The part as a whole is not shown again, and no secret is.
  if (field === '') return unprocessable([valueError([part], message)]);
  const sent = isSecretName(field) ? undefined : sentAs(part, field, request, body);
  return unprocessable([valueError([part, field], message, sent)]);
}

function sentAs(
  part: InvalidInput['part'],
  field: string,
  request: Addressed,
  body: Uint8Array | undefined,
): unknown {
  if (part === 'path') return request.params[field] ?? null;
  if (part === 'query')
    return new URL(request.url, 'http://localhost').searchParams.getAll(field).at(-1) ?? null;
  // It has been read once already, so it can be read.
  const sent = body && (JSON.parse(Buffer.from(body).toString('utf8')) as Record<string, unknown>);
  return sent?.[field] ?? null;
}
