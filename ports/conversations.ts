import type { DocType } from './objects.ts';
import type { Page, PageRequest } from './paging.ts';
import type { Instant } from './time-and-ids.ts';

export type ChatKind = 'ask' | 'chat' | 'agent';

export interface ChatSession {
  readonly id: string;
  readonly title: string;
  readonly kind: ChatKind;
  /** The folder the session is about; it searches there only. */
  readonly collectionId: string | null;
  readonly pinned: boolean;
  /** Whether its answers may hold text of documents (taint tracking). False only if no such text was shown to a model. */
  readonly hasDocumentText: boolean;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

export interface Citation {
  /** What `[n]` in the answer refers to, from 1. */
  readonly index: number;
  readonly objectId: string;
  /** The passage's place in its object, from 0. */
  readonly ord: number;
  /** Code points in the object's text, end exclusive. */
  readonly charStart: number;
  readonly charEnd: number;
  /** Exactly the text between the two. */
  readonly snippet: string;
  readonly docType: DocType;
  readonly filename: string;
  readonly title: string;
}

/** A snapshot at the time of the question: the file may be renamed or deleted later. */
export interface ChatAttachment {
  readonly objectId: string;
  readonly filename: string;
}

export interface ChatMessage {
  readonly id: string;
  readonly sessionId: string;
  readonly role: 'user' | 'assistant';
  readonly content: string;
  readonly createdAt: Instant;
  readonly attachments: readonly ChatAttachment[];
  readonly citations: readonly Citation[];
  /** The objects an answer dealt in, null when it dealt in none. */
  readonly objects: readonly ChatAttachment[] | null;
  readonly steps: readonly Readonly<Record<string, unknown>>[] | null;
}

export interface ChatFilter {
  readonly kind?: ChatKind;
  readonly pinned?: boolean;
  readonly collectionId?: string;
}

/** Something the owner asked. */
export interface AskedQuery {
  readonly query: string;
  readonly sessionId: string;
  readonly createdAt: Instant;
  readonly title: string;
}

/**
 * The chat sessions of one owner with their messages.
 *
 * Contract (contract-tests/suites/chat-store.ts):
 * - `save` inserts or replaces a session, and `find` gives back what was saved, field for field.
 * - `page` lists pinned sessions first, then by last change, newest first, then by id, descending; every filter narrows it, and the total is the full one.
 * - Messages come back in the order they were added, field for field; `messages` gives the latest `limit` of them, `messagesFrom` those from an offset on.
 * - `asked` lists what the owner wrote since a moment, newest first, with the session's title and the full total.
 * - `remove` takes a session away with its messages; `leaveCollection` keeps the sessions of a folder and takes them out of it.
 */
export interface ChatStore {
  find(id: string): Promise<ChatSession | undefined>;
  page(filter: ChatFilter, request: PageRequest): Promise<Page<ChatSession>>;
  save(session: ChatSession): Promise<void>;
  remove(id: string): Promise<void>;
  addMessage(message: ChatMessage): Promise<void>;
  messages(sessionId: string, limit: number): Promise<readonly ChatMessage[]>;
  messagesFrom(sessionId: string, request: PageRequest): Promise<readonly ChatMessage[]>;
  asked(since: Instant, request: PageRequest): Promise<Page<AskedQuery>>;
  leaveCollection(collectionId: string): Promise<void>;
}
