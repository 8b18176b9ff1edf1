import type { AgentTurn, UndoneStep } from '../../../../core/agent/index.ts';
import { objectsBehind } from '../../../../core/conversations/index.ts';
import { route } from '../../route.ts';
import {
  chatId,
  closed,
  flag,
  list,
  named,
  object,
  objectId,
  oneOf,
  optional,
  text,
  uuid,
  type TypeOf,
} from '../../schema.ts';
import { eventOf, message, messageFields, toldAgain } from './conversation-shapes.ts';

const tag = 'Agents';

const AgentMessage = named('AgentMessage', closed({ ...messageFields, session_id: chatId() }));

const Undone = named(
  'UndoneStep',
  closed({
    id: uuid(),
    undone: flag(),
    object_ids: list(objectId(), {
      description: 'Objects that were changed, moved to the trash or restored from it.',
    }),
    event_ids: list(uuid(), { description: 'Events that were removed, or created again.' }),
  }),
);

const undone = ({ id, isUndone, objectIds, eventIds }: UndoneStep): TypeOf<typeof Undone> => ({
  id,
  undone: isUndone,
  object_ids: [...objectIds],
  event_ids: [...eventIds],
});

const present = ({ session, reply, confirm }: AgentTurn): TypeOf<typeof AgentMessage> => ({
  ...message(confirm ? { ...reply, confirm } : reply),
  session_id: session.id,
});

const events = {
  of: eventOf,
  replay: (kept: TypeOf<typeof AgentMessage>) =>
    toldAgain(kept.session_id, kept.content, kept.citations, kept.steps),
  last: ({ confirm }: TypeOf<typeof AgentMessage>) =>
    confirm && { event: 'confirm', data: confirm },
  always: true,
} as const;

const errors = ['agent_disabled', 'not_found', 'upstream_failed', 'deadline'];

export const agentChatRoutes = [
  route({
    method: 'post',
    path: '/v1/agent/chat',
    tag,
    name: 'agentChat',
    summary: 'Let a model use the workspace with tools, and answer',
    description:
      'Always returns server-sent events: `session`, `step` (a tool call: `tool`, `arguments`, `summary`, and, if it changed something, `undo`: see `POST /v1/agent/steps/{undo_id}/undo`), `delta`, `citation`, and as the last one `done` (the message and its `session_id`), `confirm` or `error`. `confirm` (`confirm_id`, `tool`, `arguments`, `objects`, `folder`, `event`, `why`, `expires_at`): the model has seen text that the owner did not type and calls a tool that changes data, and no message of the owner names this change; it is made only after `POST /v1/agent/confirm`. Until then the message in `GET /v1/chats/{chat_id}` has the same `confirm`. A comment line every 15 seconds keeps the connection alive. Closing the connection ends the run; completed changes remain and are in the session.',
    access: 'owner',
    scope: 'ask',
    storesHistory: true,
    readsUnlockToken: true,
    acceptsIdempotencyKey: true,
    errors: [...errors, 'empty_text', 'plan_limit'],
    body: {
      json: object({
        message: text({ maxLength: 8000 }),
        session_id: optional(uuid()),
        role: optional(text({ maxLength: 200 })),
        attachments: optional(list(uuid(), { maxItems: 50 })),
      }),
    },
    reply: { json: AgentMessage },
    run: (core, { caller, body, subscriber: audience }) =>
      core.agent.agentChat(
        caller,
        {
          message: body.message,
          ...(body.session_id !== undefined && { sessionId: body.session_id }),
          ...(body.role !== undefined && { role: body.role }),
          ...(body.attachments !== undefined && { attachments: body.attachments }),
        },
        audience,
      ),
    alsoNames: ({ reply }) => objectsBehind([reply]),
    present,
    events,
  }),
  route({
    method: 'post',
    path: '/v1/agent/confirm',
    tag,
    name: 'confirmAgent',
    summary: 'Allow or refuse a change by the agent, and resume its run',
    description:
      'Returns the same events as `POST /v1/agent/chat`. A confirmation is valid for 5 minutes, once. With `allow` the tool runs with exactly the arguments shown. 404 if it is unknown, used, expired, of another owner or session, or hidden by the hidden zone.',
    access: 'owner',
    scope: 'ask',
    storesHistory: true,
    readsUnlockToken: true,
    errors,
    body: {
      json: object({
        confirm_id: uuid(),
        decision: oneOf('allow', 'refuse'),
        session_id: optional(uuid()),
      }),
    },
    reply: { json: AgentMessage },
    run: (core, { caller, body, subscriber: audience }) =>
      core.agent.confirmAgent(
        caller,
        {
          confirmId: body.confirm_id,
          decision: body.decision,
          ...(body.session_id !== undefined && { sessionId: body.session_id }),
        },
        audience,
      ),
    present,
    events,
  }),
  route({
    method: 'post',
    path: '/v1/agent/steps/:undo_id/undo',
    tag,
    name: 'undoAgentStep',
    summary: 'Undo what one step of the agent changed',
    description:
      'The id is `undo` of the step, which is shown for 24 hours; a step that was undone has `undone` instead. Puts back the name and whether it is locked, the folder and the categories, or moves a created object to the trash, or removes a created event: all of it, once. What has been changed since is left as it is: 409 `changed_since`. 404 if it is unknown, used, expired, of another owner or a deleted session, or hidden by the hidden zone. Needs the scope of the tool as well, `write` or `calendar`; the agent need not be enabled.',
    access: 'owner',
    scope: 'ask',
    // The step is shown as undone from then on.
    storesHistory: true,
    readsUnlockToken: true,
    acceptsIdempotencyKey: true,
    errors: ['not_found', 'changed_since', 'in_trash'],
    params: object({ undo_id: uuid() }),
    reply: { json: Undone },
    run: (core, { caller, params }) => core.agent.undoAgentStep(caller, params.undo_id),
    present: undone,
  }),
  route({
    method: 'post',
    path: '/v1/agent/steps/:undo_id/redo',
    tag,
    name: 'redoAgentStep',
    summary: 'Do again what the undo of a step of the agent reversed',
    description:
      'The id is `redo` of a step that was undone, which is shown for 24 hours after the undo. Sets the name, the folder and the categories, or restores a created object from the trash, or creates a removed event with its id: all of it, or nothing. The step then has `undo` again, for 24 hours. Errors and scopes are those of the undo; 404 also if the step is not undone.',
    access: 'owner',
    scope: 'ask',
    storesHistory: true,
    readsUnlockToken: true,
    acceptsIdempotencyKey: true,
    errors: ['not_found', 'changed_since', 'in_trash'],
    params: object({ undo_id: uuid() }),
    reply: { json: Undone },
    run: (core, { caller, params }) => core.agent.redoAgentStep(caller, params.undo_id),
    present: undone,
  }),
];
