import {
  INCOMPLETE_REASONS,
  type ChatSession,
  type Citation,
} from '../../../../ports/conversations.ts';
import {
  toVisibleStep,
  type AnswerEvent,
  type ChatView,
  type ConfirmRequest,
  type Exchange,
  type ShownMessage,
  type UnrecordedAnswer,
} from '../../../../core/conversations/index.ts';
import type { ServerEvent } from '../../response/event-stream.ts';
import {
  chatId,
  closed,
  dateTime,
  flag,
  freeForm,
  int,
  list,
  named,
  nullable,
  number,
  objectId,
  oneOf,
  optional,
  text,
  uuid,
  type TypeOf,
} from '../../schema.ts';
import { iso } from '../shapes.ts';

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
    version: nullable(int({ description: 'The version of the object that was cited.' })),
    page: nullable(int({ description: 'The page on which the range starts, from 1.' })),
  }),
);
const coverage = closed({ searched: int(), unread: int() });
const confidence = number({ minimum: 0, maximum: 1 });
const incompleteReason = named('IncompleteReason', {
  ...oneOf(...INCOMPLETE_REASONS),
  description:
    'Why the answer is incomplete: `length`, the model reached its limit of tokens; `filtered`, the model service withheld the rest; `interrupted`, the model failed or the client disconnected. Not known of older answers.',
});
const Attachment = named('ChatAttachment', closed({ object_id: objectId(), filename: text() }));
const AgentRoleName = named('AgentRoleName', closed({ slug: text(), name: text() }));
export const Confirm = named(
  'AgentConfirm',
  closed({
    confirm_id: uuid(),
    tool: text(),
    arguments: freeForm(),
    why: text(),
    objects: list(closed({ id: objectId(), filename: text() }), {
      description: 'The objects of the arguments, as they were named then.',
    }),
    folder: nullable(closed({ id: uuid(), name: text() })),
    event: nullable(closed({ title: text(), starts_at: text(), ends_at: text() })),
    expires_at: dateTime({ description: 'Until then the owner can decide.' }),
  }),
);
export const messageFields = {
  id: uuid(),
  role: oneOf('user', 'assistant'),
  content: text(),
  created_at: dateTime(),
  attachments: list(Attachment),
  citations: list(CitationShape),
  objects: nullable(list(Attachment)),
  steps: nullable(
    list(freeForm(), {
      description:
        'Calls of tools by the agent: `tool`, `arguments`, `summary`, and `undo` while the step can be undone, `undone` after it was, then with `redo` while it can be redone. `change`: what it changed, with the state before it. `objects`, `folder` and `event`: what the owner was asked about, as it was named then. `because`: the words of a document that gave instructions to the agent, and where they are, if the step was rejected for them.',
    }),
  ),
  coverage: nullable(coverage),
  engine: nullable(text({ description: 'As `engine` of an answer.' })),
  confidence: nullable(confidence),
  incomplete: nullable(
    flag({ description: 'Whether the answer was broken off. Details of a question are null.' }),
  ),
  reason: nullable(incompleteReason),
  agent_role: nullable(AgentRoleName),
  confirm: optional(Confirm),
};
const Message = named('ChatMessage', closed(messageFields));
const card = {
  id: chatId(),
  title: text(),
  created_at: dateTime(),
  updated_at: dateTime(),
  kind: oneOf('ask', 'chat', 'agent'),
  collection_id: nullable(uuid()),
  pinned: flag(),
};
export const ChatCard = named('ChatCard', closed(card));
export const Chat = named('ChatSession', closed({ ...card, messages: list(Message) }));
export const Answer = named(
  'Answer',
  closed({
    answer: text(),
    citations: list(CitationShape),
    session_id: nullable(chatId({ description: 'null if nothing was stored.' })),
    message_id: nullable(uuid()),
    engine: text(),
    created_at: dateTime(),
    coverage,
    confidence: nullable(confidence),
    incomplete: flag(),
    reason: nullable(incompleteReason),
  }),
);

const citation = (c: Citation): TypeOf<typeof CitationShape> => ({
  object_id: c.objectId,
  ord: c.ord,
  index: c.index,
  char_start: c.charStart,
  char_end: c.charEnd,
  doc_type: c.docType,
  filename: c.filename,
  snippet: c.snippet,
  title: c.title,
  version: c.version,
  page: c.page,
});
const attachment = (a: { objectId: string; filename: string }): TypeOf<typeof Attachment> => ({
  object_id: a.objectId,
  filename: a.filename,
});
export const confirm = (request: ConfirmRequest): TypeOf<typeof Confirm> => ({
  confirm_id: request.id,
  tool: request.tool,
  arguments: request.arguments,
  why: request.why,
  objects: [...request.subject.objects],
  folder: request.subject.folder,
  event: request.subject.event,
  expires_at: iso(request.expiresAt),
});
export const message = (m: ShownMessage): TypeOf<typeof Message> => ({
  id: m.id,
  role: m.role,
  content: m.content,
  created_at: iso(m.createdAt),
  attachments: m.attachments.map(attachment),
  citations: m.citations.map(citation),
  objects: m.objects && m.objects.map(attachment),
  steps: m.steps && m.steps.map(toVisibleStep),
  coverage: m.coverage && { searched: m.coverage.searched, unread: m.coverage.unread },
  engine: m.engine,
  confidence: m.confidence,
  incomplete: m.incomplete,
  reason: m.incompleteReason,
  agent_role: m.agentRole && { slug: m.agentRole.slug, name: m.agentRole.name },
  ...(m.confirm && { confirm: confirm(m.confirm) }),
});
export const chatCard = (s: ChatSession): TypeOf<typeof ChatCard> => ({
  id: s.id,
  title: s.title,
  created_at: iso(s.createdAt),
  updated_at: iso(s.updatedAt),
  kind: s.kind,
  collection_id: s.collectionId,
  pinned: s.pinned,
});
export const chat = ({ session, messages }: ChatView): TypeOf<typeof Chat> => ({
  ...chatCard(session),
  messages: messages.map(message),
});
export const answer = ({
  session,
  reply,
  engine,
  coverage: { searched, unread },
}: Exchange | UnrecordedAnswer): TypeOf<typeof Answer> => ({
  answer: reply.content,
  citations: reply.citations.map(citation),
  session_id: session && session.id,
  message_id: session && reply.id,
  engine,
  created_at: iso(reply.createdAt),
  coverage: { searched, unread },
  confidence: reply.confidence,
  incomplete: reply.incomplete === true,
  reason: reply.incompleteReason,
});

export const TurnReply = named('Turn', closed({ user: Message, assistant: Message }));
export const turn = ({ user, reply }: Exchange): TypeOf<typeof TurnReply> => ({
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
  sessionId: string | null,
  content: string,
  citations: readonly TypeOf<typeof CitationShape>[],
  steps: TypeOf<typeof Message>['steps'] = null,
): Iterable<ServerEvent> {
  yield { event: 'session', data: { session_id: sessionId } };
  for (const step of steps ?? []) yield { event: 'step', data: step };
  if (content !== '') yield { event: 'delta', data: { text: content } };
  for (const each of citations) yield { event: 'citation', data: each };
}
