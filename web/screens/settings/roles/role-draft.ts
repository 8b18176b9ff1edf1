import { api } from '../../../api/client.ts';
import { ApiError, reply } from '../../../api/errors.ts';
import { noteChange } from '../../../data/live.ts';
import type { Role } from '../../../data/roles.ts';
import { t } from '../../../i18n/roles.ts';
import { asChange, recordChange } from '../../../state/undo.ts';

/** What the owner can write of a role. */
export type RoleDraft = Pick<Role, 'name' | 'slug' | 'description' | 'persona' | 'toolsets'>;

export type DraftField = Exclude<keyof RoleDraft, 'toolsets'>;
export type Problems = Partial<Record<DraftField, string>>;

/** The service counts code points. */
export const MAX_LENGTHS = { name: 80, slug: 63, description: 500, persona: 8_000 } as const;

const SLUG = /^[a-z0-9][a-z0-9-]{0,62}$/;
const REQUIRED: ReadonlySet<DraftField> = new Set(['name', 'slug', 'persona']);
export const FIELDS = ['name', 'slug', 'description', 'persona'] as const;

export const emptyDraft: RoleDraft = {
  name: '',
  slug: '',
  description: '',
  persona: '',
  toolsets: ['objects'],
};

/** `Tax adviser` is `tax-adviser`. Names in other scripts leave nothing. */
export const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, MAX_LENGTHS.slug)
    .replace(/-+$/, '');

/** What the service would reject, before it is sent. */
export function problemsOf(draft: RoleDraft): Problems {
  const { problems: text } = t().roles;
  const problems: Problems = {};
  for (const field of FIELDS) {
    const value = draft[field];
    if (REQUIRED.has(field) && value.trim() === '') problems[field] = text.empty;
    else if (field === 'slug' && !SLUG.test(value)) problems.slug = text.slug;
    else if ([...value].length > MAX_LENGTHS[field])
      problems[field] = text.tooLong(MAX_LENGTHS[field]);
  }
  return problems;
}

/** What the service has rejected, by field. Undefined if it is about no field. */
export function rejectedFields(error: unknown): Problems | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const { problems: text } = t().roles;
  if (error.code === 'already_exists') return { slug: text.taken };
  const problems: Problems = {};
  for (const { loc, type } of error.fields) {
    const field = FIELDS.find((each) => each === loc[1]);
    if (!field) return undefined;
    problems[field] =
      type === 'string_too_short' || type === 'missing'
        ? text.empty
        : type === 'string_too_long'
          ? text.tooLong(MAX_LENGTHS[field])
          : type === 'string_pattern_mismatch'
            ? text.slug
            : text.notAllowed;
  }
  return Object.keys(problems).length > 0 ? problems : undefined;
}

/** Creates a role. */
export async function createRole(draft: RoleDraft): Promise<Role> {
  const role = await reply(
    api.POST('/v1/agents/custom', {
      body: draft,
      params: { header: { 'Idempotency-Key': crypto.randomUUID() } },
    }),
  );
  noteChange('agents');
  return role;
}

async function patch(slug: string, { slug: _slug, ...body }: RoleDraft): Promise<void> {
  await reply(api.PATCH('/v1/agents/custom/{slug}', { params: { path: { slug } }, body }));
  noteChange('agents');
}

/** Changes a role, which can be undone. */
export const editRole = (role: Role, draft: RoleDraft): Promise<void> =>
  asChange(saveEdit(role, draft));

async function saveEdit(role: Role, draft: RoleDraft): Promise<void> {
  const { slug, name, description, persona, toolsets } = role;
  await patch(slug, draft);
  recordChange({
    label: t().roles.saved(draft.name),
    undo: () => patch(slug, { slug, name, description, persona, toolsets }),
    redo: () => patch(slug, draft),
  });
}
