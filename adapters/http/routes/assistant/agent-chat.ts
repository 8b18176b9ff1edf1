import type { AgentTurn } from '../../../../core/agent/index.ts';
import { objectsInSteps } from '../../../../core/conversations/index.ts';
import { route } from '../../route.ts';
import {
  closed,
  freeForm,
  list,
  named,
  object,
  oneOf,
  optional,
  text,
  uuid,
  type TypeOf,
} from '../../schema.ts';
import { eventOf, message, messageFields, toldAgain } from './conversations.ts';

const tag = 'Agents';

const Confirm = named(
  'AgentConfirm',
  closed({ confirm_id: uuid(), tool: text(), arguments: freeForm(), why: text() }),
);
const AgentMessage = named(
  'AgentMessage',
  closed({ ...messageFields, session_id: uuid(), confirm: optional(Confirm) }),
);

const present = ({ session, reply, confirm }: AgentTurn): TypeOf<typeof AgentMessage> => ({
  ...message(reply),
  session_id: session.id,
  ...(confirm && {
    confirm: {
      confirm_id: confirm.id,
      tool: confirm.tool,
      arguments: confirm.arguments,
      why: confirm.why,
    },
  }),
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
    summary: 'Have a model use the workspace on your behalf, and answer',
    description:
      'Always answers with server-sent events: `session`, `step` (a use of a tool: `tool`, `arguments`, `summary`), `delta`, `citation`, and as the last one `done` (the message and its `session_id`), `confirm` or `error`. `confirm` (`confirm_id`, `tool`, `arguments`, `why`): the model was shown text of documents and calls a tool that changes something, which no message of the owner names; nothing is done until `POST /v1/agent/confirm`. A line of comment every 15 seconds shows that it is alive. Closing the connection ends the run; what was done by then stays and is in the session.',
    access: 'owner',
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
    alsoNames: ({ reply }) => objectsInSteps([reply]),
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
      'Answers with the same events as `POST /v1/agent/chat`. A confirmation is valid for 5 minutes and for one use. With `allow` the tool is run with exactly the arguments that were shown. 404 for one that is unknown, used, expired, of another owner or session, or concealed by the hidden zone.',
    access: 'owner',
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
];
