import type { ChatMessage, ChatSession, Citation } from '../../../../ports/conversations.ts';
import {
  MAX_QUESTION_LENGTH,
  MAX_TITLE_LENGTH,
  objectsInSteps,
  toVisibleStep,
  type AnswerEvent,
  type ChatView,
  type Exchange,
} from '../../../../core/conversations/index.ts';
import type { ServerEvent } from '../../response/event-stream.ts';
import { route } from '../../route.ts';
import {
  clearable,
  closed,
  dateTime,
  flag,
  freeForm,
  int,
  label,
  list,
  named,
  nullable,
  object,
  objectId,
  oneOf,
  optional,
  text,
  uuid,
  withDefault,
  type TypeOf,
} from '../../schema.ts';
import { Deleted, deleted, iso, listReply, paging } from '../shapes.ts';

const tag = 'Conversations';

const CitationShape = named(
  'Citation',
  closed({
    object_id: objectId(),
    ord: int(),
    index: int(),
    char_start: int(),
    char_end: int(),
    doc_type: text(),
    filename: text(),
    snippet: text(),
    title: text(),
  }),
);
const Attachment = named('ChatAttachment', closed({ object_id: objectId(), filename: text() }));
export const messageFields = {
  id: uuid(),
  role: oneOf('user', 'assistant'),
  content: text(),
  created_at: dateTime(),
  attachments: list(Attachment),
  citations: list(CitationShape),
  objects: nullable(list(Attachment)),
  steps: nullable(list(freeForm())),
};
const Message = named('ChatMessage', closed(messageFields));
const card = {
  id: uuid(),
  title: text(),
  created_at: dateTime(),
  updated_at: dateTime(),
  kind: oneOf('ask', 'chat', 'agent'),
  collection_id: nullable(uuid()),
  pinned: flag(),
};
const ChatCard = named('ChatCard', closed(card));
const Chat = named('ChatSession', closed({ ...card, messages: list(Message) }));
const Answer = named(
  'Answer',
  closed({
    answer: text(),
    citations: list(CitationShape),
    session_id: uuid(),
    message_id: uuid(),
    engine: text(),
    created_at: dateTime(),
    coverage: closed({ searched: int(), unread: int() }),
  }),
);

export const citation = (c: Citation): TypeOf<typeof CitationShape> => ({
  object_id: c.objectId,
  ord: c.ord,
  index: c.index,
  char_start: c.charStart,
  char_end: c.charEnd,
  doc_type: c.docType,
  filename: c.filename,
  snippet: c.snippet,
  title: c.title,
});
const attachment = (a: { objectId: string; filename: string }): TypeOf<typeof Attachment> => ({
  object_id: a.objectId,
  filename: a.filename,
});
export const message = (m: ChatMessage): TypeOf<typeof Message> => ({
  id: m.id,
  role: m.role,
  content: m.content,
  created_at: iso(m.createdAt),
  attachments: m.attachments.map(attachment),
  citations: m.citations.map(citation),
  objects: m.objects && m.objects.map(attachment),
  steps: m.steps && m.steps.map(toVisibleStep),
});
const chatCard = (s: ChatSession): TypeOf<typeof ChatCard> => ({
  id: s.id,
  title: s.title,
  created_at: iso(s.createdAt),
  updated_at: iso(s.updatedAt),
  kind: s.kind,
  collection_id: s.collectionId,
  pinned: s.pinned,
});
const chat = ({ session, messages }: ChatView): TypeOf<typeof Chat> => ({
  ...chatCard(session),
  messages: messages.map(message),
});
const answer = ({ session, reply, engine, coverage }: Exchange): TypeOf<typeof Answer> => ({
  answer: reply.content,
  citations: reply.citations.map(citation),
  session_id: session.id,
  message_id: reply.id,
  engine,
  created_at: iso(reply.createdAt),
  coverage,
});

const TurnReply = named('Turn', closed({ user: Message, assistant: Message }));
const turn = ({ user, reply }: Exchange): TypeOf<typeof TurnReply> => ({
  user: message(user),
  assistant: message(reply),
});

export const eventOf = (news: AnswerEvent): ServerEvent => {
  if (news.type === 'session') return { event: 'session', data: { session_id: news.sessionId } };
  if (news.type === 'delta') return { event: 'delta', data: { text: news.text } };
  if (news.type === 'step') return { event: 'step', data: news.step };
  return { event: 'citation', data: citation(news.citation) };
};

/** A stored reply as events, for a replay. */
export function* toldAgain(
  sessionId: string,
  content: string,
  citations: readonly TypeOf<typeof CitationShape>[],
  steps: TypeOf<typeof Message>['steps'] = null,
): Iterable<ServerEvent> {
  yield { event: 'session', data: { session_id: sessionId } };
  for (const step of steps ?? []) yield { event: 'step', data: step };
  if (content !== '') yield { event: 'delta', data: { text: content } };
  for (const each of citations) yield { event: 'citation', data: each };
}

const scope = {
  object_ids: optional(list(uuid(), { maxItems: 200 })),
};
const chatPath = object({ chat_id: uuid() });
const question = text({ maxLength: MAX_QUESTION_LENGTH });

export const conversationRoutes = [
  route({
    method: 'post',
    path: '/v1/ask',
    tag,
    name: 'ask',
    summary: 'Answer a question from the documents, with citations of exact character ranges',
    description:
      'With `Accept: text/event-stream` the answer is streamed as events: `session`, `delta`, `citation`, `done`. An empty `object_ids` is no restriction. Without a source the answer says so and cites nothing.',
    access: 'owner',
    readsUnlockToken: true,
    acceptsIdempotencyKey: true,
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
        },
        audience,
      ),
    alsoNames: ({ reply }) => objectsInSteps([reply]),
    present: answer,
    events: { of: eventOf, replay: (a) => toldAgain(a.session_id, a.answer, a.citations) },
  }),
  route({
    method: 'get',
    path: '/v1/chats',
    tag,
    name: 'listChats',
    summary: 'Chat sessions: pinned ones first, then by last change',
    access: 'owner',
    query: object({
      ...paging,
      kind: optional(oneOf('ask', 'chat', 'agent')),
      pinned: optional(flag()),
      collection_id: optional(uuid()),
    }),
    reply: { json: listReply('ChatList', ChatCard) },
    run: (core, { caller, query: q }) =>
      core.conversations.listChats(caller, {
        limit: q.limit,
        offset: q.offset,
        ...(q.kind !== undefined && { kind: q.kind }),
        ...(q.pinned !== undefined && { pinned: q.pinned }),
        ...(q.collection_id !== undefined && { collectionId: q.collection_id }),
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
      'Without a title it is named after its first message. A session in a folder searches that folder only.',
    access: 'owner',
    acceptsIdempotencyKey: true,
    errors: ['not_found'],
    body: {
      json: object({
        title: optional(label(MAX_TITLE_LENGTH)),
        kind: optional(oneOf('ask', 'chat', 'agent')),
        collection_id: optional(uuid()),
      }),
    },
    reply: { json: Chat },
    run: (core, { caller, body }) =>
      core.conversations.createChat(caller, {
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
      'It shows the latest 1 000 messages. While the zone is locked, citations and attachments of hidden objects are left out.',
    access: 'owner',
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
      'With `Accept: text/event-stream` the answer is streamed as events: `session`, `delta`, `citation`, `done`. `attachments` restrict the search to these objects.',
    access: 'owner',
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
        },
        audience,
      ),
    alsoNames: ({ user, reply }) => objectsInSteps([user, reply]),
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
