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
  /** The folders that the token which opened it was bound to; null if the whole workspace could be read. */
  readonly boundTo: readonly string[] | null;
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
  /** The object's version at that time; null for citations of before it was stored. */
  readonly version: number | null;
  /** The page on which the range starts, from 1; null if the text has no pages. */
  readonly page: number | null;
}

/** A snapshot at the time of the question: the file may be renamed or deleted later. */
export interface ChatAttachment {
  readonly objectId: string;
  readonly filename: string;
}

/** The role of the agent that a message is sent to, or answered in, with its name at that time. */
export interface MessageAgentRole {
  readonly slug: string;
  readonly name: string;
  /** Set on a message that an import added: the owner need not have typed it here. */
  readonly isImported?: true;
}

/** How many of the files in scope could be searched for an answer. */
export interface AnswerCoverage {
  readonly searched: number;
  /** Files whose text was not available, or not yet. */
  readonly unread: number;
  /** Absent if there were too many to store, and in answers of before they were stored. */
  readonly objects?: CountedObjects;
}

/** The ids of the objects behind the numbers of a coverage. */
export interface CountedObjects {
  readonly searched: readonly string[];
  readonly unread: readonly string[];
}

/**
 * Why an answer was broken off: the model reached its limit of tokens, its service withheld the rest, or the model
 * failed or the client disconnected before its end.
 */
export const INCOMPLETE_REASONS = ['length', 'filtered', 'interrupted'] as const;
export type IncompleteReason = (typeof INCOMPLETE_REASONS)[number];

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
  /** null for questions, for answers of the agent, and for answers of before it was stored. */
  readonly coverage: AnswerCoverage | null;
  /** The name of the engine that answered. null for questions and for answers of before it was stored. */
  readonly engine: string | null;
  /** From 0 to 1; null if the engine has given none. */
  readonly confidence: number | null;
  /** Whether the answer was broken off. null for questions and for answers of before it was stored. */
  readonly incomplete: boolean | null;
  /** Why it was broken off. null for complete answers, and for those of before it was stored. */
  readonly incompleteReason: IncompleteReason | null;
  /** null for messages that are not of the agent, and for those of before it was stored. */
  readonly agentRole: MessageAgentRole | null;
}

/** An object whose content a session may hold: cited, attached, read, or named as its scope. */
export interface ChatObject {
  readonly objectId: string;
  /** Whether the object is in the hidden zone, or was when it was deleted. */
  readonly isHidden: boolean;
}

export interface ChatFilter {
  readonly kind?: ChatKind;
  readonly pinned?: boolean;
  readonly collectionId?: string;
  /**
   * Only sessions that are bound to these folders or to some of them, and that are in none of the other folders. A
   * session that is not bound is excluded.
   */
  readonly boundWithin?: readonly string[];
  /** Only sessions that hold this object. */
  readonly holding?: string;
  /** Excludes sessions that hold a hidden object. */
  readonly visibleOnly?: boolean;
}

/** The sessions whose questions are listed. */
export type RecentQueryFilter = Pick<ChatFilter, 'boundWithin' | 'visibleOnly'>;

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
 * - `holding` narrows a page to sessions that hold the object.
 * - `boundWithin` narrows a page and `recentQueries` to sessions bound to these folders or some of them.
 * - `addObjects` adds objects to a session or replaces their visibility, and `objects` returns them by id, in pages.
 * - `setObjectVisibility` changes the visibility of an object in every session that has it.
 * - A session that has a hidden object holds one. `visibleOnly` excludes it from a page, its total and `recentQueries`.
 * - Messages are returned in insertion order, field for field: `messages` returns the latest `limit`, `messagesFrom`
 *   those from an offset on.
 * - `recentQueries` lists the owner's messages since a moment, newest first, with the session's title and the full total.
 * - `remove` removes a session with its messages and objects. `leaveCollection` removes the folder from its sessions.
 */
export interface ChatStore {
  find(id: string): Promise<ChatSession | undefined>;
  page(filter: ChatFilter, request: PageRequest): Promise<Page<ChatSession>>;
  save(session: ChatSession): Promise<void>;
  remove(id: string): Promise<void>;
  addMessage(message: ChatMessage): Promise<void>;
  messages(sessionId: string, limit: number): Promise<readonly ChatMessage[]>;
  messagesFrom(sessionId: string, request: PageRequest): Promise<readonly ChatMessage[]>;
  recentQueries(
    since: Instant,
    request: PageRequest,
    filter?: RecentQueryFilter,
  ): Promise<Page<RecentQuery>>;
  addObjects(sessionId: string, objects: readonly ChatObject[]): Promise<void>;
  objects(sessionId: string, request: PageRequest): Promise<readonly ChatObject[]>;
  setObjectVisibility(objectId: string, isHidden: boolean): Promise<void>;
  holdsHidden(sessionId: string): Promise<boolean>;
  leaveCollection(collectionId: string): Promise<void>;
}
