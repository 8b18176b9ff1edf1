import {
  MAX_QUESTION_LENGTH,
  MAX_TITLE_LENGTH,
  objectsBehind,
} from '../../../../core/conversations/index.ts';
import { ENGINE_CHOICES } from '../../../../core/models/index.ts';
import { route } from '../../route.ts';
import {
  chatId,
  clearable,
  closed,
  dateTime,
  flag,
  int,
  label,
  list,
  named,
  object,
  oneOf,
  optional,
  text,
  uuid,
  withDefault,
} from '../../schema.ts';
import { Deleted, deleted, iso, listReply, paging } from '../shapes.ts';
import {
  Answer,
  Chat,
  ChatCard,
  TurnReply,
  answer,
  chat,
  chatCard,
  eventOf,
  toldAgain,
  turn,
} from './conversation-shapes.ts';

const tag = 'Conversations';

const scope = {
  object_ids: optional(list(uuid(), { maxItems: 200 })),
  engine: optional(oneOf(...ENGINE_CHOICES)),
};
const ENGINE =
  '`engine: extractive` answers with the built-in engine although a model is connected, for example after the model has failed; nothing is sent to the model, and the question is not counted.';
const chatPath = object({ chat_id: chatId() });
const question = text({ maxLength: MAX_QUESTION_LENGTH });

export const conversationRoutes = [
  route({
    method: 'post',
    path: '/v1/ask',
    tag,
    name: 'ask',
    summary: 'Answer a question from the documents, with citations of exact character ranges',
    description:
      'With `Accept: text/event-stream` the answer is streamed as events: `session`, `delta`, `citation`, `done`. An empty `object_ids` is no restriction. Without a source the answer says so and cites nothing. A token with `access: read` leaves no history: question and answer are not stored, `session_id` and `message_id` are null, `Idempotency-Key` is ignored, and a `session_id` in the request is 403. ' +
      ENGINE,
    access: 'owner',
    scope: 'ask',
    readsUnlockToken: true,
    acceptsIdempotencyKey: true,
    createsHistoryOnly: true,
    errors: [
      'empty_text',
      'unknown_doc_type',
      'not_found',
      'plan_limit',
      'upstream_failed',
      'deadline',
    ],
    body: {
      json: object({
        question,
        session_id: optional(uuid()),
        ...scope,
        collection_id: optional(uuid()),
        doc_type: optional(text()),
      }),
    },
    reply: { json: Answer },
    run: (core, { caller, body, subscriber: audience }) =>
      core.conversations.ask(
        caller,
        {
          question: body.question,
          ...(body.session_id !== undefined && { sessionId: body.session_id }),
          ...(body.object_ids !== undefined && { objectIds: body.object_ids }),
          ...(body.collection_id !== undefined && { collectionId: body.collection_id }),
          ...(body.doc_type !== undefined && { docType: body.doc_type }),
          ...(body.engine !== undefined && { engine: body.engine }),
        },
        audience,
      ),
    alsoNames: ({ session, reply }) => (session ? objectsBehind([reply]) : []),
    present: answer,
    events: { of: eventOf, replay: (a) => toldAgain(a.session_id, a.answer, a.citations) },
  }),
  route({
    method: 'get',
    path: '/v1/chats',
    tag,
    name: 'listChats',
    summary: 'Chat sessions: pinned ones first, then by last change',
    description:
      'While the zone is locked, hidden sessions, and those in which a hidden object was cited, attached or read, do not exist for any request. `hidden_only` lists the sessions that were created as hidden ones; it needs an unlock token.',
    access: 'owner',
    scope: ['ask', 'read'],
    readsUnlockToken: true,
    errors: ['hidden_locked'],
    query: object({
      ...paging,
      kind: optional(oneOf('ask', 'chat', 'agent')),
      pinned: optional(flag()),
      collection_id: optional(uuid()),
      hidden_only: optional(flag()),
    }),
    reply: { json: listReply('ChatList', ChatCard) },
    run: (core, { caller, query: q }) =>
      core.conversations.listChats(caller, {
        limit: q.limit,
        offset: q.offset,
        ...(q.kind !== undefined && { kind: q.kind }),
        ...(q.pinned !== undefined && { pinned: q.pinned }),
        ...(q.collection_id !== undefined && { collectionId: q.collection_id }),
        ...(q.hidden_only !== undefined && { hiddenOnly: q.hidden_only }),
      }),
    present: ({ items, total }) => ({ items: items.map(chatCard), total }),
  }),
  route({
    method: 'post',
    path: '/v1/chats',
    tag,
    name: 'createChat',
    summary: 'Create a chat session',
    description:
      'Without a title it is named after its first message. A session in a folder searches that folder only. A hidden one is hidden while the zone is locked, also without a hidden document; it needs an unlock token.',
    access: 'owner',
    scope: 'ask',
    storesHistory: true,
    readsUnlockToken: true,
    acceptsIdempotencyKey: true,
    errors: ['not_found', 'hidden_locked'],
    body: {
      json: object({
        title: optional(label(MAX_TITLE_LENGTH)),
        kind: optional(oneOf('ask', 'chat', 'agent')),
        collection_id: optional(uuid()),
        is_hidden: optional(flag()),
      }),
    },
    reply: { json: Chat },
    run: (core, { caller, body }) =>
      core.conversations.createChat(caller, {
        ...(body.is_hidden !== undefined && { isHidden: body.is_hidden }),
        ...(body.title !== undefined && { title: body.title }),
        ...(body.kind !== undefined && { kind: body.kind }),
        ...(body.collection_id !== undefined && { collectionId: body.collection_id }),
      }),
    present: chat,
  }),
  route({
    method: 'get',
    path: '/v1/chats/:chat_id',
    tag,
    name: 'getChat',
    summary: 'A chat session with its messages in order',
    description:
      'It shows the latest 1 000 messages. A message of the agent that waits for the owner has `confirm`, which `POST /v1/agent/confirm` answers. While the zone is locked, citations and attachments of deleted objects are left out, and a session in which a hidden object was cited, attached or read is 404.',
    access: 'owner',
    scope: ['ask', 'read'],
    readsUnlockToken: true,
    errors: ['not_found'],
    params: chatPath,
    reply: { json: Chat },
    run: (core, { caller, params }) => core.conversations.getChat(caller, params.chat_id),
    present: chat,
  }),
  route({
    method: 'patch',
    path: '/v1/chats/:chat_id',
    tag,
    name: 'editChat',
    summary:
      'Rename, pin or move a chat session; an empty `collection_id` removes it from its folder',
    access: 'owner',
    scope: 'ask',
    storesHistory: true,
    readsUnlockToken: true,
    errors: ['not_found'],
    params: chatPath,
    body: {
      json: object({
        title: optional(label(MAX_TITLE_LENGTH)),
        pinned: optional(flag()),
        collection_id: optional(clearable(uuid())),
      }),
    },
    reply: { json: Chat },
    run: (core, { caller, params, body }) =>
      core.conversations.editChat(caller, params.chat_id, {
        ...(body.title !== undefined && { title: body.title }),
        ...(body.pinned !== undefined && { pinned: body.pinned }),
        ...(body.collection_id !== undefined && { collectionId: body.collection_id }),
      }),
    present: chat,
  }),
  route({
    method: 'delete',
    path: '/v1/chats/:chat_id',
    tag,
    name: 'deleteChat',
    summary: 'Delete a chat session with its messages and recent queries',
    access: 'owner',
    scope: 'ask',
    storesHistory: true,
    readsUnlockToken: true,
    errors: ['not_found'],
    params: chatPath,
    reply: { json: Deleted },
    run: (core, { caller, params }) => core.conversations.deleteChat(caller, params.chat_id),
    present: deleted,
  }),
  route({
    method: 'post',
    path: '/v1/chats/:chat_id/turns',
    tag,
    name: 'addTurn',
    summary: 'Send a message in a chat session and get the answer',
    description:
      'With `Accept: text/event-stream` the answer is streamed as events: `session`, `delta`, `citation`, `done`. `attachments` restrict the search to these objects. ' +
      ENGINE,
    access: 'owner',
    scope: 'ask',
    storesHistory: true,
    readsUnlockToken: true,
    acceptsIdempotencyKey: true,
    errors: ['empty_text', 'not_found', 'plan_limit', 'upstream_failed', 'deadline'],
    params: chatPath,
    body: {
      json: object({
        content: question,
        attachments: optional(list(uuid(), { maxItems: 50 })),
        ...scope,
      }),
    },
    reply: { json: TurnReply },
    run: (core, { caller, params, body, subscriber: audience }) =>
      core.conversations.addTurn(
        caller,
        params.chat_id,
        {
          content: body.content,
          ...(body.attachments !== undefined && { attachments: body.attachments }),
          ...(body.object_ids !== undefined && { objectIds: body.object_ids }),
          ...(body.engine !== undefined && { engine: body.engine }),
        },
        audience,
      ),
    alsoNames: ({ user, reply }) => objectsBehind([user, reply]),
    present: turn,
    events: {
      of: eventOf,
      replay: (t, { params }) =>
        toldAgain(params.chat_id, t.assistant.content, t.assistant.citations),
    },
  }),
  route({
    method: 'get',
    path: '/v1/recent-queries',
    tag,
    name: 'recentQueries',
    summary: "The owner's recent questions, newest first",
    description: 'Questions of `ask`, of turns and of the agent.',
    access: 'owner',
    scope: ['ask', 'read'],
    readsUnlockToken: true,
    query: object({
      days: withDefault(int({ minimum: 1, maximum: 90 }), 7),
      limit: withDefault(int({ minimum: 1, maximum: 100 }), 20),
    }),
    reply: {
      json: listReply(
        'RecentQueryList',
        named(
          'RecentQuery',
          closed({ query: text(), session_id: uuid(), created_at: dateTime(), title: text() }),
        ),
      ),
    },
    run: (core, { caller, query }) => core.conversations.recentQueries(caller, query),
    present: ({ items, total }) => ({
      items: items.map((q) => ({
        query: q.query,
        session_id: q.sessionId,
        created_at: iso(q.createdAt),
        title: q.title,
      })),
      total,
    }),
  }),
];
