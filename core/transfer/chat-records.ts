import {
  INCOMPLETE_REASONS,
  type AnswerCoverage,
  type ChatAttachment,
  type ChatMessage,
  type ChatObject,
  type ChatSession,
  type Citation,
  type CountedObjects,
  type MessageAgentRole,
} from '../../ports/conversations.ts';
import { MAX_QUESTION_LENGTH, MAX_TITLE_LENGTH } from '../conversations/index.ts';
import { normalizeFilename } from '../objects/index.ts';
import { count, docType, filename, line } from './records.ts';
import {
  ArchiveFormatError,
  added,
  flag,
  fraction,
  freeForm,
  id,
  instant,
  label,
  list,
  nullable,
  oneOf,
  record,
  text,
  type Shape,
} from './shapes.ts';

/**
 * A session with the ids of its messages, which follow it. An import does not trust the sources given in an archive.
 */
export type ArchivedSession = Omit<ChatSession, 'hasDocumentText' | 'boundTo'> & {
  readonly messageIds: readonly string[];
  /** The objects that it holds content of; null in archives of earlier versions. */
  readonly objects: readonly ChatObject[] | null;
};

const chatObjectShape = record<ChatObject>({
  objectId: ['object_id', id],
  isHidden: ['is_hidden', flag],
});

export const sessionShape = record<ArchivedSession>({
  id: ['id', id],
  title: ['title', label(MAX_TITLE_LENGTH, normalizeFilename)],
  kind: ['kind', oneOf(['ask', 'chat', 'agent'])],
  collectionId: ['collection_id', nullable(id)],
  pinned: ['pinned', flag],
  createdAt: ['created_at', instant],
  updatedAt: ['updated_at', instant],
  messageIds: ['message_ids', list(id)],
  objects: ['objects', added(nullable(list(chatObjectShape)), null)],
});

const MAX_REFERENCES = 1_000;
const MAX_ANSWER_LENGTH = 1_000_000;

const citationShape = record<Citation>({
  index: ['index', count],
  objectId: ['object_id', id],
  ord: ['ord', count],
  charStart: ['char_start', count],
  charEnd: ['char_end', count],
  snippet: ['snippet', text({ most: 100_000 })],
  docType: ['doc_type', docType],
  filename: ['filename', filename],
  title: ['title', line],
  version: ['version', added(nullable(count), null)],
  page: ['page', added(nullable(count), null)],
});

const countsShape = record<Pick<AnswerCoverage, 'searched' | 'unread'>>({
  searched: ['searched', count],
  unread: ['unread', count],
});

const countedShape = record<{ readonly objects: CountedObjects | null }>({
  objects: [
    'objects',
    added(
      nullable(
        record<CountedObjects>({
          searched: ['searched', list(id, MAX_REFERENCES)],
          unread: ['unread', list(id, MAX_REFERENCES)],
        }),
      ),
      null,
    ),
  ],
});

const coverageShape: Shape<AnswerCoverage> = {
  write: ({ objects = null, ...counts }) => ({
    ...(countsShape.write(counts) as object),
    ...(countedShape.write({ objects }) as object),
  }),
  read: (sent, at) => {
    const counts = countsShape.read(sent, at);
    const { objects } = countedShape.read(sent, at);
    if (!objects) return counts;
    const { searched, unread } = objects;
    if (searched.length !== counts.searched || unread.length !== counts.unread)
      throw new ArchiveFormatError(`${at} counts other objects than it lists`);
    return { ...counts, objects };
  },
};

const attachmentShape = record<ChatAttachment>({
  objectId: ['object_id', id],
  filename: ['filename', filename],
});

/** Without the origin: every import marks its messages anew. */
const agentRoleShape = record<Pick<MessageAgentRole, 'slug' | 'name'>>({
  slug: ['slug', line],
  name: ['name', line],
});

const messageFields = record<ChatMessage>({
  id: ['id', id],
  sessionId: ['session_id', id],
  role: ['role', oneOf(['user', 'assistant'])],
  content: ['content', text({ most: MAX_ANSWER_LENGTH })],
  createdAt: ['created_at', instant],
  attachments: ['attachments', list(attachmentShape, MAX_REFERENCES)],
  citations: ['citations', list(citationShape, MAX_REFERENCES)],
  objects: ['objects', nullable(list(attachmentShape, MAX_REFERENCES))],
  steps: ['steps', nullable(list(freeForm(MAX_ANSWER_LENGTH), MAX_REFERENCES))],
  coverage: ['coverage', added(nullable(coverageShape), null)],
  engine: ['engine', added(nullable(line), null)],
  confidence: ['confidence', added(nullable(fraction), null)],
  incomplete: ['incomplete', added(nullable(flag), null)],
  incompleteReason: ['reason', added(nullable(oneOf(INCOMPLETE_REASONS)), null)],
  agentRole: ['agent_role', added(nullable(agentRoleShape), null)],
});

export const messageShape: Shape<ChatMessage> = {
  write: (value) => messageFields.write(value),
  read: (sent, at) => {
    const message = messageFields.read(sent, at);
    if (message.role === 'user')
      text({ most: MAX_QUESTION_LENGTH }).read(message.content, `${at}.content`);
    if (message.citations.some(({ charStart, charEnd }) => charStart > charEnd))
      throw new ArchiveFormatError(`${at}.citations end before they begin`);
    return message;
  },
};
