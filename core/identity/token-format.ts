import type { RandomSource } from '../../ports/runtime.ts';

const SHAPE = /^owt_([A-Za-z0-9]{8})_[A-Za-z0-9_-]{43}$/;

/** `owt_` + 8 characters of public id + `_` + 32 random bytes as base64url. */
export function newBearer(random: RandomSource): {
  readonly prefix: string;
  readonly bearer: string;
} {
  let prefix = '';
  while (prefix.length < 8)
    prefix = (prefix + random.secret(12).replaceAll(/[^A-Za-z0-9]/g, '')).slice(0, 8);
  return { prefix, bearer: `owt_${prefix}_${random.secret(32)}` };
}

/** Avoids a lookup for a text that cannot be a token. */
export function parseBearer(
  bearer: string,
): { readonly prefix: string; readonly bearer: string } | undefined {
  const prefix = SHAPE.exec(bearer)?.[1];
  return prefix === undefined ? undefined : { prefix, bearer };
}
