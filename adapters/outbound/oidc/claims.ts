import { MAX_ROLE_VALUES } from '../../../ports/identity-provider.ts';
import { rejected } from './failures.ts';

/** Claims of an ID token or of the UserInfo endpoint, as the provider sent them. */
export type Claims = Readonly<Record<string, unknown>>;

const MAX_TEXT_LENGTH = 1_000;
/** At most 255 ASCII characters (OpenID Connect Core §2). */
const SUBJECT = /^[\x20-\x7e]{1,255}$/;

const claimOf = (claims: Claims, name: string): unknown =>
  Object.hasOwn(claims, name) ? claims[name] : undefined;

const textOf = (claims: Claims, name: string): string | undefined => {
  const value = claimOf(claims, name);
  return typeof value === 'string' && value.trim() !== ''
    ? value.slice(0, MAX_TEXT_LENGTH)
    : undefined;
};

export function subjectOf({ sub }: Claims): string {
  if (typeof sub !== 'string' || !SUBJECT.test(sub))
    throw rejected('The subject of the ID token is not 1 to 255 ASCII characters.');
  return sub;
}

/** The time of `auth_time`, which is in seconds (OpenID Connect Core §2). */
export function authenticatedAtOf(claims: Claims): number | null {
  const seconds = claimOf(claims, 'auth_time');
  return typeof seconds === 'number' && Number.isFinite(seconds) && seconds >= 0
    ? Math.floor(seconds * 1000)
    : null;
}

/** A name for people. */
export const nameOf = (claims: Claims): string | null =>
  textOf(claims, 'name') ?? textOf(claims, 'preferred_username') ?? null;

/** Providers send one role as a text, several as a list. */
export function rolesOf(claims: Claims, roleClaim: string | null): readonly string[] {
  if (roleClaim === null) return [];
  const value = claimOf(claims, roleClaim);
  const all: readonly unknown[] = Array.isArray(value) ? value : [value];
  return all
    .slice(0, MAX_ROLE_VALUES)
    .filter((each) => typeof each === 'string')
    .map((each) => each.slice(0, MAX_TEXT_LENGTH));
}
