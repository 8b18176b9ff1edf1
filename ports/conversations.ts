import type { DocType } from './objects.ts';
import type { Page, PageRequest } from './paging.ts';
import type { Instant } from './runtime.ts';

export type ChatKind = 'ask' | 'chat' | 'agent';

export interface ChatSession {
  readonly id: string;
  readonly title: string;
  readonly kind: ChatKind;
  /** The folder to which the session's search is limited. */
  readonly collectionId: string | null;
  readonly pinned: boolean;
  /** Whether its answers may hold text of documents (taint tracking). False only if no such text was shown to a model. */
  readonly hasDocumentText: boolean;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

export interface Citation {
  /** The target of `[n]` in the answer, from 1. */
  readonly index: number;
  readonly objectId: string;
  /** Index of the passage in its object, from 0. */
  readonly ord: number;
  /** Code points in the object's text, end exclusive. */
  readonly charStart: number;
  readonly charEnd: number;
  /** Exactly the text of that range. */
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
  /** The objects an answer is about, null if there are none. */
  readonly objects: readonly ChatAttachment[] | null;
  readonly steps: readonly Readonly<Record<string, unknown>>[] | null;
}

export interface ChatFilter {
  readonly kind?: ChatKind;
  readonly pinned?: boolean;
  readonly collectionId?: string;
}

/** A question the owner asked. */
export interface RecentQuery {
  readonly query: string;
  readonly sessionId: string;
  readonly createdAt: Instant;
  readonly title: string;
}

/**
 * The chat sessions of one owner with their messages.
 *
 * Contract (contract-tests/suites/chat-store.ts):
 * - `save` inserts or replaces a session, and `find` returns what was saved, field for field.
 * - `page` lists pinned sessions first, then by last change, newest first, then by id, descending. Every filter
 *   narrows it, and the total is the full one.
 * - Messages are returned in insertion order, field for field: `messages` returns the latest `limit`, `messagesFrom`
 *   those from an offset on.
 * - `recentQueries` lists the owner's messages since a moment, newest first, with the session's title and the full total.
 * - `remove` removes a session with its messages. `leaveCollection` removes the folder from its sessions.
 */
export interface ChatStore {
  find(id: string): Promise<ChatSession | undefined>;
  page(filter: ChatFilter, request: PageRequest): Promise<Page<ChatSession>>;
  save(session: ChatSession): Promise<void>;
  remove(id: string): Promise<void>;
  addMessage(message: ChatMessage): Promise<void>;
  messages(sessionId: string, limit: number): Promise<readonly ChatMessage[]>;
  messagesFrom(sessionId: string, request: PageRequest): Promise<readonly ChatMessage[]>;
  recentQueries(since: Instant, request: PageRequest): Promise<Page<RecentQuery>>;
  leaveCollection(collectionId: string): Promise<void>;
}
