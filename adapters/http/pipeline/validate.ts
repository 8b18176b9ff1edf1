import type { Request } from 'express';
import type { InvalidInput } from '../../../core/shared/errors.ts';
import { unprocessable, type HttpError } from './errors.ts';
import { valueError } from '../validation/detail.ts';
import { isSecretName } from '../validation/input-redaction.ts';
import { parsePreservingIntegers, textOfBody } from '../validation/json/json-body.ts';

type Addressed = Pick<Request, 'params' | 'url'>;

/** What the core found wrong with a field, told like the faults that its schema would have found: with what was sent. */
export function invalidInput(
  { part, field, message }: InvalidInput,
  request: Addressed,
  body: Uint8Array | undefined,
): HttpError {
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
  const { params } = request;
  if (part === 'path') return (Object.hasOwn(params, field) ? params[field] : undefined) ?? null;
  if (part === 'query')
    return new URL(request.url, 'http://localhost').searchParams.getAll(field).at(-1) ?? null;
  if (body === undefined || body.length === 0) return null;
  // It has been read once already, so it can be read.
  const sent = parsePreservingIntegers(textOfBody(body)) as Record<string, unknown>;
  return (Object.hasOwn(sent, field) ? sent[field] : undefined) ?? null;
}
