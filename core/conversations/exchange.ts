import type {
  ChatAttachment,
  ChatKind,
  ChatMessage,
  ChatSession,
  Citation,
  IncompleteReason,
  MessageAgentRole,
} from '../../ports/conversations.ts';
import type { LanguageModel } from '../../ports/language-model.ts';
import type { Clock, RandomSource } from '../../ports/runtime.ts';
import type { Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import type { Coverage } from '../answers/index.ts';
import type { Zone, ZoneDeps } from '../hidden-zone/index.ts';
import type { EngineDeps } from '../models/index.ts';
import type { Caller } from '../shared/caller.ts';
import { holdObjects } from './held-objects.ts';
import { bindingOf, findChat, titleFrom, UNTITLED } from './sessions.ts';
import { toStoredStep, type Step } from './steps.ts';

export interface AnswerDeps extends ZoneDeps, EngineDeps {
  readonly uow: UnitOfWork<
    | 'chats'
    | 'collections'
    | 'integrations'
    | 'objects'
    | 'idempotency'
    | 'search'
    | 'settings'
    | 'texts'
    | 'usage'
    | 'pinLock'
  >;
  readonly models: LanguageModel;
  readonly clock: Clock;
  readonly random: RandomSource;
  /** Maximum duration of a model's answer. */
  readonly answerSeconds: number;
}

/** An exchange of a session: the question, the answer, and the engine that answered. */
export interface Exchange {
  readonly session: ChatSession;
  readonly user: ChatMessage;
  readonly reply: ChatMessage;
  readonly engine: string;
  readonly coverage: Coverage;
}

/** An answer to a caller that leaves no history: neither the question nor the answer is stored. */
export interface UnrecordedAnswer {
  readonly session: null;
  readonly reply: Pick<
    ChatMessage,
    'content' | 'citations' | 'createdAt' | 'confidence' | 'incomplete' | 'incompleteReason'
  >;
  readonly engine: string;
  readonly coverage: Coverage;
}

type ExchangeDeps = Pick<AnswerDeps, 'clock' | 'random'>;

/** A user's message and its session. */
export interface UserInput {
  readonly content: string;
  /** If absent, a session is created. */
  readonly session: ChatSession | undefined;
  readonly attachments: readonly ChatAttachment[];
  /** The objects that its answer is looked for in, or read from, besides the attachments. */
  readonly objectIds: readonly string[];
  /** The hidden zone as it was for the caller. */
  readonly zone: Zone;
  /** Of a message to the agent. */
  readonly agentRole?: MessageAgentRole | null;
}

/**
 * The current session: it may have changed or been deleted since it was read. An answer from documents contains their
 * text; whether a run of the agent does is known only at its end.
 */
export async function openSession(
  deps: ExchangeDeps,
  { chats }: Pick<Stores, 'chats'>,
  { scope }: Pick<Caller, 'scope'>,
  { session, content }: Pick<UserInput, 'session' | 'content'>,
  kind: ChatKind = 'ask',
): Promise<ChatSession> {
  const now = deps.clock.now();
  if (!session)
    return {
      id: deps.random.uuid(),
      title: titleFrom(content),
      kind,
      collectionId: null,
      pinned: false,
      hasDocumentText: kind !== 'agent',
      boundTo: bindingOf(scope),
      createdAt: now,
      updatedAt: now,
    };
  const present = await findChat({ chats }, session.id);
  const first = present.title === UNTITLED && (await chats.messages(session.id, 1)).length === 0;
  return {
    ...present,
    updatedAt: now,
    boundTo: bindingOf(scope),
    hasDocumentText: present.hasDocumentText || kind !== 'agent',
    ...(first && { title: titleFrom(content) }),
  };
}

/** Saves the session together with the question, and the objects of both. */
export async function saveUserMessage(
  deps: ExchangeDeps,
  stores: Pick<Stores, 'chats' | 'objects'>,
  session: ChatSession,
  { content, attachments, objectIds, zone, agentRole = null }: UserInput,
): Promise<ChatMessage> {
  const user = { ...messageIn(deps, session, 'user', content), attachments, agentRole };
  await stores.chats.save(session);
  await stores.chats.addMessage(user);
  const attached = attachments.map(({ objectId }) => objectId);
  await holdObjects(stores, session.id, [...attached, ...objectIds], zone);
  return user;
}

/** An answer, with the steps that led to it. */
export interface Answer extends Pick<ChatMessage, 'coverage' | 'engine' | 'confidence'> {
  /** Why it ended before its end; null for a complete answer. */
  readonly cutOff: IncompleteReason | null;
  readonly content: string;
  readonly citations: readonly Citation[];
  readonly steps?: readonly Step[];
  /** Objects it is about besides the cited ones. */
  readonly touched?: readonly ChatAttachment[];
  /** Objects that the model was shown besides the cited ones. */
  readonly objectIds: readonly string[];
  /** The hidden zone as it was when they were read. */
  readonly zone: Zone;
  /** Of an answer of the agent. */
  readonly agentRole?: MessageAgentRole | null;
}

/** Does not save the session: the transaction may have done so, and else the caller does. */
export async function saveAssistantMessage(
  deps: ExchangeDeps,
  stores: Pick<Stores, 'chats' | 'objects'>,
  session: ChatSession,
  answer: Answer,
): Promise<ChatMessage> {
  const { content, citations, steps = [], touched = [], objectIds, zone } = answer;
  const { coverage, engine, confidence, cutOff, agentRole = null } = answer;
  const dealt = [...citations, ...touched];
  const names = new Map(dealt.map(({ objectId, filename }) => [objectId, filename]));
  const objects = [...names].map(([objectId, filename]) => ({ objectId, filename }));
  const reply: ChatMessage = {
    ...messageIn(deps, session, 'assistant', content),
    citations,
    objects: objects.length === 0 ? null : objects,
    steps: steps.length === 0 ? null : steps.map(toStoredStep),
    coverage,
    engine,
    confidence,
    incomplete: cutOff !== null,
    incompleteReason: cutOff,
    agentRole,
  };
  await stores.chats.addMessage(reply);
  const used = [...names.keys(), ...steps.flatMap((step) => step.objectIds), ...objectIds];
  await holdObjects(stores, session.id, used, zone);
  return reply;
}

const messageIn = (
  deps: ExchangeDeps,
  session: ChatSession,
  role: ChatMessage['role'],
  content: string,
): ChatMessage => ({
  id: deps.random.uuid(),
  sessionId: session.id,
  role,
  content,
  createdAt: session.updatedAt,
  attachments: [],
  citations: [],
  objects: null,
  steps: null,
  coverage: null,
  engine: null,
  confidence: null,
  incomplete: null,
  incompleteReason: null,
  agentRole: null,
});
