import { signal } from '@preact/signals';
import { api } from '../api/client.ts';
import { reply } from '../api/errors.ts';
import type { components } from '../api/schema.js';
import { t } from '../i18n/roles.ts';
import { asChange, recordChange } from '../state/undo.ts';
import { noteChange } from './live.ts';
import { useResource, type Resource } from './resource.ts';

export type Role = components['schemas']['AgentRole'];
export type Toolset = Role['toolsets'][number];

export const TOOLSETS: readonly Toolset[] = ['objects', 'notes', 'calendar', 'organize'];

/** Of the role that the service uses while none is active. */
const DEFAULT_SLUG = 'assistant';
const PAGE = 100;
const MAX_PAGES = 10;

/** The role that was put in use since the roles were loaded; null for none. */
const chosen = signal<{ readonly slug: string | null } | undefined>(undefined);

/** The roles of the agent: built-in ones, then the owner's. */
export function useRoles(): Resource<readonly Role[]> {
  const loaded = useLoadedRoles();
  const choice = chosen.value;
  if (!choice) return loaded;
  const data = loaded.data?.map((role) => ({ ...role, active: role.slug === choice.slug }));
  return { ...loaded, data };
}

const useLoadedRoles = (): Resource<readonly Role[]> =>
  useResource(
    'roles',
    async (stop) => {
      const known = chosen.peek();
      const roles: Role[] = [];
      for (let page = 0; page < MAX_PAGES; page++) {
        const query = { limit: PAGE, offset: page * PAGE };
        const { items, total } = await reply(
          api.GET('/v1/agents', { params: { query }, signal: stop }),
        );
        roles.push(...items);
        if (items.length === 0 || roles.length >= total) break;
      }
      if (chosen.peek() === known) chosen.value = undefined;
      return roles;
    },
    ['agents'],
  );

export const roleInUse = (roles: readonly Role[]): Role | undefined =>
  roles.find(({ active }) => active) ?? roles.find(({ slug }) => slug === DEFAULT_SLUG);

/** The name in the owner's language, for built-in ones. */
export const nameOfRole = ({ slug, name, kind }: Role): string =>
  (kind === 'builtin' ? builtIn(slug)?.name : undefined) ?? name;

/** The name of the role of a message. A custom role has no slug of a built-in one. */
export const nameOfMessageRole = ({ slug, name }: Pick<Role, 'slug' | 'name'>): string =>
  builtIn(slug)?.name ?? name;

export const descriptionOfRole = ({ slug, description, kind }: Role): string =>
  (kind === 'builtin' ? builtIn(slug)?.description : undefined) ?? description;

const builtIn = (slug: string) => new Map(Object.entries(t().roles.builtInRoles)).get(slug);

async function activate(slug: string): Promise<void> {
  await reply(api.POST('/v1/agents/{slug}/activate', { params: { path: { slug } } }));
  // A message that is sent before the roles are loaded again has this role already.
  chosen.value = { slug };
  noteChange('agents');
}

async function deactivate(): Promise<void> {
  await reply(api.POST('/v1/agents/deactivate'));
  chosen.value = { slug: null };
  noteChange('agents');
}

/** Uses a role from now on. */
export const putInUse = (role: Role, roles: readonly Role[]): Promise<void> =>
  asChange(use(role, roles));

async function use(role: Role, roles: readonly Role[]): Promise<void> {
  const before = roles.find(({ active }) => active);
  await activate(role.slug);
  recordChange({
    label: t().roles.used(nameOfRole(role)),
    undo: () => (before ? activate(before.slug) : deactivate()),
    redo: () => activate(role.slug),
  });
}
