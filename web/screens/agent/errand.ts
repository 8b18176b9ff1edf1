import type { components } from '../../api/schema.js';
import type { NamedDocument } from '../../state/ask-about.ts';
import { newExchange, type Citation, type Exchange } from '../conversation/exchange.ts';
import { stateOf, toStep, type Step } from './step.ts';

type Chat = components['schemas']['ChatSession'];
type Message = components['schemas']['ChatMessage'];
export type StoredConfirm = components['schemas']['AgentConfirm'];

/** As long as the service waits for a decision. */
export const CONFIRM_MS = 5 * 60_000;

/**
 * `waiting` while the service is overloaded, then `working`. `asking`: the agent waits for the owner's decision.
 * `stopped` and `failed` replies may have steps and text: what came before.
 */
export type Phase = 'working' | 'waiting' | 'asking' | 'complete' | 'stopped' | 'failed';

/** A change that the owner has to decide on. */
export interface Confirm {
  readonly id: string;
  readonly tool: string;
  readonly arguments: unknown;
  /** Names at the time of the question. */
  readonly objectName: string | undefined;
  readonly folderName: string | undefined;
  /** By this device's clock. */
  readonly endsAt: number;
}

/** The role of a message, with its name at that time. */
export type MessageRole = NonNullable<Message['agent_role']>;

/** A reply of the agent. After a decision of the owner it goes on in another one. */
export interface Part {
  readonly id: string;
  readonly phase: Phase;
  readonly steps: readonly Step[];
  readonly text: string;
  readonly citations: readonly Citation[];
  readonly engine: string | null;
  /** Why a `stopped` reply is incomplete; null where that is not known. */
  readonly cutOff: Message['reason'];
  readonly role: MessageRole | null;
  readonly confirm?: Confirm;
  /** By this device's clock: the end of a confirmation, if the reply ended with one. */
  readonly decideBefore?: number;
  readonly error?: unknown;
}

/** A message to the agent with its replies. */
export interface Errand {
  readonly id: string;
  readonly message: string;
  readonly about: readonly NamedDocument[];
  readonly role: MessageRole | null;
  readonly parts: readonly Part[];
}

export const newPart = (role: MessageRole | null): Part => ({
  id: crypto.randomUUID(),
  phase: 'working',
  steps: [],
  text: '',
  citations: [],
  engine: null,
  cutOff: null,
  role,
});

export const newErrand = (
  message: string,
  about: readonly NamedDocument[],
  role: MessageRole | null,
): Errand => ({
  id: crypto.randomUUID(),
  message,
  about,
  role,
  parts: [newPart(role)],
});

const lastPart = ({ parts }: Errand): Part | undefined => parts.at(-1);

export const phaseOf = (errand: Errand): Phase => lastPart(errand)?.phase ?? 'stopped';

export const isRunning = (errand: Errand): boolean => {
  const phase = phaseOf(errand);
  return phase === 'working' || phase === 'waiting';
};

export const confirmOf = (errand: Errand): Confirm | undefined =>
  phaseOf(errand) === 'asking' ? lastPart(errand)?.confirm : undefined;

export const replaceLast = (errand: Errand, change: (part: Part) => Part): Errand => ({
  ...errand,
  parts: errand.parts.map((part, nth) => (nth === errand.parts.length - 1 ? change(part) : part)),
});

/** All steps in order. One that waited for a decision is followed by what came of it, and is left out then. */
export const stepsOf = ({ parts }: Pick<Errand, 'parts'>): readonly Step[] =>
  parts.flatMap((part, nth) => visibleSteps(part, nth === parts.length - 1));

export const visibleSteps = ({ steps }: Part, isLast: boolean): readonly Step[] =>
  isLast ? steps : steps.filter((step) => stateOf(step) !== 'asked');

/** The stored messages of a conversation, each with its replies. `ahead`: how far the service's clock is. */
export function errandsOf({ messages }: Pick<Chat, 'messages'>, ahead: number): readonly Errand[] {
  const errands: Errand[] = [];
  for (const message of messages) {
    if (message.role === 'user') {
      errands.push(errandOf(message));
      continue;
    }
    const part = partOf(message, ahead);
    const at = errands.findLastIndex((errand) => isAnsweredBy(errand, part));
    const errand = errands.at(at);
    if (errand) errands[errands.indexOf(errand)] = { ...errand, parts: [...errand.parts, part] };
  }
  return errands;
}

/** A decision is followed by its own reply, also if another message was sent before it. -1 finds the last message. */
function isAnsweredBy(errand: Errand, { steps: [first] }: Part): boolean {
  if (!first || (first.confirmation !== 'allowed' && first.confirmation !== 'refused'))
    return false;
  const waiting = lastPart(errand)?.steps.at(-1);
  return (
    waiting?.confirmation === 'asked' &&
    waiting.tool === first.tool &&
    JSON.stringify(waiting.arguments) === JSON.stringify(first.arguments)
  );
}

const errandOf = ({ id, content, attachments, agent_role }: Message): Errand => ({
  id,
  message: content,
  about: attachments.map(({ object_id, filename }) => ({ id: object_id, name: filename })),
  role: agent_role,
  parts: [],
});

export function partOf(message: Message, ahead = 0): Part {
  const steps = (message.steps ?? []).map(toStep);
  const last = steps.at(-1);
  const isAsking = last !== undefined && stateOf(last) === 'asked';
  return {
    id: message.id,
    phase: isAsking ? 'asking' : message.incomplete ? 'stopped' : 'complete',
    steps,
    text: message.content,
    citations: message.citations,
    engine: message.engine,
    cutOff: message.reason,
    role: message.agent_role,
    // Without a confirmation it was decided on, or the time for that is over.
    decideBefore: Date.parse(message.created_at) - ahead + CONFIRM_MS,
    ...(message.confirm && { confirm: toConfirm(message.confirm, ahead) }),
  };
}

export const toConfirm = (
  { confirm_id: id, tool, arguments: given, objects, folder, expires_at }: StoredConfirm,
  ahead: number,
): Confirm => ({
  id,
  tool,
  arguments: given,
  objectName: objects[0]?.filename,
  folderName: folder?.name,
  endsAt: Date.parse(expires_at) - ahead,
});

/** For the parts that show answers. */
export const exchangeOf = ({ message, about }: Errand, part: Part): Exchange => ({
  ...newExchange(message, about),
  id: part.id,
  phase: part.phase === 'working' ? 'writing' : 'complete',
  text: part.text,
  citations: part.citations,
  engine: part.engine,
});
