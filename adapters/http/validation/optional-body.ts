import type { Schema } from '../schema.ts';
import type { CrossFieldRules } from './json/json-validator.ts';
import { propertiesOf } from './node.ts';

interface Operation {
  readonly method?: string;
  readonly body?:
    | { readonly json: Schema<unknown>; readonly crossFieldRules?: CrossFieldRules }
    | { readonly multipart: Schema<unknown> };
}

/**
 * Whether the JSON body of an operation may be left out and then counts as `{}`. It must declare fields, and none may be
 * required, not even by rules between fields. The body of an update (PUT, PATCH) and one without declared fields are always
 * required.
 */
export function mayLackBody({ method, body }: Operation): boolean {
  if (method !== 'post' || !body || !('json' in body) || body.crossFieldRules) return false;
  const required = (body.json['required'] ?? []) as readonly string[];
  return required.length === 0 && Object.keys(propertiesOf(body.json)).length > 0;
}
