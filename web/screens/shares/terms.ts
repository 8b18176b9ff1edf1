import { api } from '../../api/client.ts';
import { ApiError, reply } from '../../api/errors.ts';
import type { operations } from '../../api/schema.js';
import type { ShareLink, Subject } from './share-data.ts';

/** The body of a change. */
export type Edit = operations['editShare']['requestBody']['content']['application/json'];

/** Days until a link ends. `same`: as it is now. */
export const ENDS = ['1', '7', '30', '90', '365', 'never'] as const;
export type End = (typeof ENDS)[number] | 'same';

const DEFAULT_MAX_FILES = 500;
const DEFAULT_MAX_BYTES = 1_000_000_000;
export const BYTE_LIMITS = [100_000_000, DEFAULT_MAX_BYTES, 10_000_000_000, 100_000_000_000];
const MAX_FILES = 100_000;
export const PASSWORD_LENGTH = { min: 8, max: 128 };
export const MAX_NAME_LENGTH = 120;

/** What is chosen for a link, as the fields have it. */
export interface Terms {
  readonly name: string;
  readonly mayAdd: boolean;
  readonly maxFiles: string;
  readonly maxBytes: number;
  /** A new one; empty: none, or the present one. */
  readonly password: string;
  /** Takes the present one off. */
  readonly dropsPassword: boolean;
  readonly ends: End;
}

/** The fields that can be wrong. */
export type TermField = 'name' | 'password' | 'maxFiles' | 'ends';

export const NEW_TERMS: Terms = {
  name: '',
  mayAdd: false,
  maxFiles: String(DEFAULT_MAX_FILES),
  maxBytes: DEFAULT_MAX_BYTES,
  password: '',
  dropsPassword: false,
  ends: '30',
};

export const termsOf = (share: ShareLink): Terms => ({
  name: share.name,
  mayAdd: share.role === 'contributor',
  maxFiles: String(share.max_upload_files),
  maxBytes: share.max_upload_bytes,
  password: '',
  dropsPassword: false,
  // One that has ended is opened to be given another end.
  ends: share.state === 'expired' ? '30' : 'same',
});

/** What was chosen, after the link has changed from `before` to `after` somewhere else: fields that were left as they were follow. */
export const rebase = (terms: Terms, before: Terms, after: Terms): Terms => ({
  name: terms.name === before.name ? after.name : terms.name,
  mayAdd: terms.mayAdd === before.mayAdd ? after.mayAdd : terms.mayAdd,
  maxFiles: terms.maxFiles === before.maxFiles ? after.maxFiles : terms.maxFiles,
  maxBytes: terms.maxBytes === before.maxBytes ? after.maxBytes : terms.maxBytes,
  password: terms.password,
  dropsPassword: terms.dropsPassword,
  ends: terms.ends === before.ends ? after.ends : terms.ends,
});

/** Fields that the service would refuse. */
export function wrongFields({ password, mayAdd, maxFiles, name }: Terms): readonly TermField[] {
  const { length } = password;
  const isPasswordWrong =
    length > 0 && (length < PASSWORD_LENGTH.min || length > PASSWORD_LENGTH.max);
  const files = Number(maxFiles);
  const areFilesWrong = mayAdd && !(Number.isInteger(files) && files >= 1 && files <= MAX_FILES);
  return [
    ...(name.trim().length > MAX_NAME_LENGTH ? (['name'] as const) : []),
    ...(areFilesWrong ? (['maxFiles'] as const) : []),
    ...(isPasswordWrong ? (['password'] as const) : []),
  ];
}

const FIELDS: ReadonlyMap<string | number, TermField> = new Map([
  ['name', 'name'],
  ['password', 'password'],
  ['max_upload_files', 'maxFiles'],
  ['expires_in_days', 'ends'],
]);

/** Fields that the service has refused. */
export const refusedFields = (error: unknown): readonly TermField[] =>
  error instanceof ApiError
    ? error.fields.flatMap(({ loc }) => FIELDS.get(loc.at(-1) ?? '') ?? [])
    : [];

/** Makes the link. A repeat with the same key makes no second one. */
export function createShare(
  { kind, id }: Subject,
  { name, mayAdd, maxFiles, maxBytes, password, ends }: Terms,
  key: string,
): Promise<ShareLink> {
  const isContributor = mayAdd && kind === 'folder';
  const body = {
    kind,
    resource_id: id,
    name: name.trim(),
    role: isContributor ? ('contributor' as const) : ('viewer' as const),
    ...(password && { password }),
    ...(ends !== 'never' && { expires_in_days: Number(ends) }),
    ...(isContributor && { max_upload_files: Number(maxFiles), max_upload_bytes: maxBytes }),
  };
  const params = { header: { 'Idempotency-Key': key } };
  return reply(api.POST('/v1/shares', { params, body }));
}

/** What the fields change of a link. */
export function editOf(share: ShareLink, terms: Terms): Edit {
  const role = terms.mayAdd ? 'contributor' : 'viewer';
  const files = Number(terms.maxFiles);
  return {
    ...(terms.name.trim() !== share.name && { name: terms.name.trim() }),
    ...(role !== share.role && { role }),
    ...(terms.dropsPassword && { password: '' as const }),
    ...(terms.password && { password: terms.password }),
    ...(terms.ends === 'never' && share.expires_at !== null && { expires_in_days: '' as const }),
    ...(/^\d+$/.test(terms.ends) && { expires_in_days: Number(terms.ends) }),
    ...(terms.mayAdd && files !== share.max_upload_files && { max_upload_files: files }),
    ...(terms.mayAdd &&
      terms.maxBytes !== share.max_upload_bytes && { max_upload_bytes: terms.maxBytes }),
  };
}

/**
 * The change that takes another one back. A password is stored as a hash, and an end is counted from now: neither can be
 * set as it was.
 */
export function inverseOf(before: ShareLink, edit: Edit): Edit | undefined {
  if (edit.password !== undefined) return undefined;
  if (edit.expires_in_days !== undefined && before.expires_at !== null) return undefined;
  return {
    ...(edit.name !== undefined && { name: before.name }),
    ...(edit.role !== undefined && { role: before.role }),
    ...(edit.expires_in_days !== undefined && { expires_in_days: '' as const }),
    ...(edit.max_upload_files !== undefined && { max_upload_files: before.max_upload_files }),
    ...(edit.max_upload_bytes !== undefined && { max_upload_bytes: before.max_upload_bytes }),
  };
}

export const editShare = (id: string, body: Edit): Promise<ShareLink> =>
  reply(api.PATCH('/v1/shares/{share_id}', { params: { path: { share_id: id } }, body }));

/** Neither 0 nor o, neither 1 nor l: it may be read out on the telephone. */
const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789';
const GROUPS = 4;
const GROUP_LENGTH = 4;

/** A random password of 80 bits: `k7fp-2mxq-hh4w-9tae`. */
export function makePassword(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(GROUPS * GROUP_LENGTH));
  // 32 letters, so that each is as likely as the others.
  const letters = Array.from(bytes, (byte) => LETTERS[byte % LETTERS.length]).join('');
  return letters.match(new RegExp(`.{${GROUP_LENGTH}}`, 'g'))?.join('-') ?? letters;
}
