import {
  MOST,
  MAX_ROLES,
  SLUG_PATTERN,
  type AgentCard,
  type AgentEdit,
} from '../../../../core/agents/index.ts';
import { TOOLSETS, type Toolset } from '../../../../ports/agent-roles.ts';
import { route } from '../../route.ts';
import {
  closed,
  dateTime,
  flag,
  list,
  named,
  object,
  oneOf,
  optional,
  plainName,
  text,
  uuid,
  type TypeOf,
} from '../../schema.ts';
import { Deleted, deleted, iso, listReply, paging } from '../shapes.ts';

const tag = 'Agents';

const Card = named(
  'AgentRole',
  closed({
    id: uuid(),
    slug: text(),
    name: text(),
    description: text(),
    icon: text(),
    persona: text({ description: 'Instructions for the model in this role.' }),
    toolsets: list(oneOf(...TOOLSETS)),
    kind: oneOf('builtin', 'custom'),
    locked: flag({ description: 'Built-in roles cannot be changed.' }),
    active: flag({ description: 'Whether the agent uses it if a request names no role.' }),
    created_at: dateTime(),
    updated_at: dateTime(),
  }),
);

const card = ({ role, active }: AgentCard): TypeOf<typeof Card> => ({
  id: role.id,
  slug: role.slug,
  name: role.name,
  description: role.description,
  icon: role.icon,
  persona: role.persona,
  toolsets: [...role.toolsets],
  kind: role.kind,
  locked: role.kind === 'builtin',
  active,
  created_at: iso(role.createdAt),
  updated_at: iso(role.updatedAt),
});

const rolePath = object({ slug: text() });
const name = plainName(MOST.name);
const persona = text({ minLength: 1, maxLength: MOST.persona });
const further = {
  description: optional(text({ maxLength: MOST.description })),
  icon: optional(text({ maxLength: MOST.icon })),
  toolsets: optional(
    list(oneOf(...TOOLSETS), {
      maxItems: MOST.toolsets,
      uniqueItems: true,
      description:
        '`objects` searches and reads, `notes` creates notes, `calendar` reads the agenda and creates events, `organize` moves and renames.',
    }),
  ),
};

const edited = (sent: {
  name?: string;
  description?: string;
  icon?: string;
  persona?: string;
  toolsets?: Toolset[];
}): AgentEdit => ({
  ...(sent.name !== undefined && { name: sent.name }),
  ...(sent.description !== undefined && { description: sent.description }),
  ...(sent.icon !== undefined && { icon: sent.icon }),
  ...(sent.persona !== undefined && { persona: sent.persona }),
  ...(sent.toolsets !== undefined && { toolsets: sent.toolsets }),
});

/** `custom` and `deactivate` are no slugs, so the paths that hold these words belong to them alone. */
export const agentRoutes = [
  route({
    method: 'get',
    path: '/v1/agents',
    tag,
    name: 'listAgents',
    summary: 'Roles of the agent: built-in ones, then custom ones, oldest first',
    access: 'owner',
    scope: ['ask', 'read'],
    query: object(paging),
    reply: { json: listReply('AgentRoleList', Card) },
    run: (core, { caller, query }) => core.agents.listAgents(caller, query),
    present: ({ items, total }) => ({ items: items.map(card), total }),
  }),
  route({
    method: 'post',
    path: '/v1/agents/custom',
    tag,
    name: 'createAgent',
    summary: 'Create a role; it does not become active',
    description: `Without \`toolsets\` it has \`objects\` only; an empty list is a role without tools. At most ${MAX_ROLES} roles per owner.`,
    access: 'owner',
    scope: 'account',
    acceptsIdempotencyKey: true,
    errors: ['already_exists', 'too_many_roles'],
    body: {
      json: object({
        name,
        persona,
        slug: text({
          pattern: SLUG_PATTERN,
          description: 'Permanent. Slugs of built-in roles, `custom` and `deactivate` are taken.',
        }),
        ...further,
      }),
    },
    reply: { json: Card },
    run: (core, { caller, body }) =>
      core.agents.createAgent(caller, {
        ...edited(body),
        slug: body.slug,
        name: body.name,
        persona: body.persona,
      }),
    present: card,
  }),
  route({
    method: 'post',
    path: '/v1/agents/deactivate',
    tag,
    name: 'deactivateAgent',
    summary: 'Deactivate the active role, if any; then `assistant` answers',
    access: 'owner',
    scope: 'account',
    reply: { json: named('Deactivated', closed({ deactivated: flag() })) },
    run: (core, { caller }) => core.agents.deactivateAgent(caller),
    present: () => ({ deactivated: true }),
  }),
  route({
    method: 'patch',
    path: '/v1/agents/custom/:slug',
    tag,
    name: 'editAgent',
    summary: 'Change a custom role; its slug stays',
    access: 'owner',
    scope: 'account',
    errors: ['not_found', 'forbidden'],
    params: rolePath,
    body: { json: object({ name: optional(name), persona: optional(persona), ...further }) },
    reply: { json: Card },
    run: (core, { caller, params, body }) =>
      core.agents.editAgent(caller, params.slug, edited(body)),
    present: card,
  }),
  route({
    method: 'delete',
    path: '/v1/agents/custom/:slug',
    tag,
    name: 'deleteAgent',
    summary: 'Delete a custom role; if it was active, none is',
    access: 'owner',
    scope: 'account',
    errors: ['not_found', 'forbidden'],
    params: rolePath,
    reply: { json: Deleted },
    run: (core, { caller, params }) => core.agents.deleteAgent(caller, params.slug),
    present: deleted,
  }),
  route({
    method: 'get',
    path: '/v1/agents/:slug',
    tag,
    name: 'getAgent',
    summary: 'One role',
    access: 'owner',
    scope: ['ask', 'read'],
    errors: ['not_found'],
    params: rolePath,
    reply: { json: Card },
    run: (core, { caller, params }) => core.agents.getAgent(caller, params.slug),
    present: card,
  }),
  route({
    method: 'post',
    path: '/v1/agents/:slug/activate',
    tag,
    name: 'activateAgent',
    summary: 'Activate a role in place of any other',
    access: 'owner',
    scope: 'account',
    errors: ['not_found'],
    params: rolePath,
    reply: { json: Card },
    run: (core, { caller, params }) => core.agents.activateAgent(caller, params.slug),
    present: card,
  }),
];
