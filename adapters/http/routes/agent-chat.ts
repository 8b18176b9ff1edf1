import { route } from '../route.ts';
import { closed, list, named, object, optional, text, uuid } from '../schema.ts';
import { eventOf, message, messageFields, toldAgain } from './conversations.ts';

export const agentChatRoutes = [
  route({
    method: 'post',
    path: '/v1/agent/chat',
    tag: 'Agents',
    name: 'agentChat',
    summary: 'Have a model use the workspace on your behalf, and answer',
    description:
      'Always answers with server-sent events: `session`, `step` (a use of a tool: `tool`, `arguments`, `summary`), `delta`, `citation`, `done` (the message and its `session_id`) or `error`. A line of comment every 15 seconds shows that it is alive. Whoever closes the connection ends the run; what was done by then stays and is in the session.',
    access: 'owner',
    hidden: true,
    creates: true,
    errors: [
      'agent_disabled',
      'empty_text',
      'not_found',
      'plan_limit',
      'upstream_failed',
      'deadline',
    ],
    body: {
      json: object({
        message: text({ maxLength: 8000 }),
        session_id: optional(uuid()),
        role: optional(text({ maxLength: 200 })),
        attachments: optional(list(uuid(), { maxItems: 50 })),
      }),
    },
    reply: { json: named('AgentMessage', closed({ ...messageFields, session_id: uuid() })) },
    run: (core, { caller, body, audience }) =>
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
    present: ({ session, reply }) => ({ ...message(reply), session_id: session.id }),
    events: {
      of: eventOf,
      again: (kept) => toldAgain(kept.session_id, kept.content, kept.citations, kept.steps),
      always: true,
    },
  }),
];
