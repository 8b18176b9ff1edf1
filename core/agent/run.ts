import type { ToolName } from '../../ports/agent-tools.ts';
import type { ChatAttachment } from '../../ports/conversations.ts';
import type { Directory } from '../../ports/directory.ts';
import type { LanguageModel, ModelTool, ToolCall } from '../../ports/language-model.ts';
import { citingReader } from '../answers/index.ts';
import { teller, type AnswerAudience, type Said, type Step } from '../conversations/index.ts';
import { drawn, modelFailed, type ModelEngine } from '../models/index.ts';
import type { Zone } from '../hidden-zone/index.ts';
import { requireToken } from '../identity/index.ts';
import { AudienceLeft } from '../shared/audience.ts';
import {
  calling,
  type Called,
  type Calling,
  type CallingDeps,
  type Decision,
  type PendingCall,
  type Trust,
} from './calling.ts';
import { noAnswer } from './phrases.ts';
import { sendable } from './sendable.ts';
import { LEAST_TOKENS, messagesIn, roomFor, tokensOf, type Round, type Talk } from './talk.ts';
import type { Work } from './tool.ts';

export type RunDeps = CallingDeps & {
  readonly directory: Directory;
  readonly models: LanguageModel;
  /** Maximum duration of each model reply. */
  readonly answerSeconds: number;
};

/** The progress of a run. */
export interface Progress extends Said {
  readonly steps: Step[];
  readonly touched: ChatAttachment[];
  /** Whether an operation was started. */
  acted: boolean;
  /** Whether the model was shown text of a document. */
  tainted: boolean;
}

/** The state of a suspended run, for resuming after the owner's decision. */
export interface Suspension {
  /** The last one holds the pending call, without a result. */
  readonly rounds: readonly Round[];
  /** Its index in that step. */
  readonly place: number;
  readonly pending: PendingCall;
  /** Counted over the whole run. */
  readonly replies: number;
  readonly steps: number;
  /** The calls that were run. */
  readonly calls: readonly string[];
}

export interface Task {
  readonly engine: ModelEngine;
  readonly sessionId: string;
  readonly work: Work;
  /** A slug. */
  readonly role: string;
  readonly allowed: readonly ToolName[];
  readonly tools: readonly ModelTool[];
  readonly talk: Omit<Talk, 'rounds'>;
  /** Document text in the conversation before any lookup, and its objects. */
  readonly quoted: readonly string[];
  readonly attached: readonly string[];
  readonly trust: Trust;
  /** A run that is resumed after the owner's decision. */
  readonly resumed?: Suspension & { readonly decision: Decision };
}

/** Limits of one run. */
export const MOST_REPLIES = 12;
export const MOST_CALLS = 24;

const NO_MORE = JSON.stringify({ error: 'No more steps can be taken. Answer with what is there.' });

/**
 * Lets a model use tools until it answers, and emits steps and text as they arrive. After the maximum of replies or
 * calls the model is called a last time, without tools. `progress` also holds the completed steps if the run ends
 * early: with `deadline`, `upstream_failed`, `unauthorized`, an outage, or ClientDisconnectedError. If a call needs
 * the owner's confirmation, the run returns suspended before that call has any effect.
 */
export async function run(
  deps: RunDeps,
  task: Task,
  audience: AnswerAudience,
  progress: Progress,
): Promise<Suspension | undefined> {
  requireRoom(task);
  const mouth = mouthOf(task, audience, progress);
  const { resumed } = task;
  const caller = calling(deps, task.work, task.allowed, task.trust);
  caller.heed(task.quoted);
  progress.tainted = caller.tainted;
  let gone = false;
  audience.left.then(
    () => (gone = true),
    () => (gone = true),
  );
  const rounds: Round[] = [...(resumed?.rounds ?? [])];
  const ids = new Set(rounds.flatMap(({ calls }) => calls.map(({ call }) => call.id)));
  const before = resumed?.steps ?? 0;
  const callsMade = () => before + progress.steps.length;
  let enough = false;
  // Yields first, so that a disconnected client is noticed.
  await Promise.resolve();
  if (resumed) {
    if (gone) throw new AudienceLeft();
    const called = await decide(deps, caller, resumed, task, progress, mouth.show);
    rounds.splice(-1, 1, withResult(rounds.at(-1), resumed.place, called.result));
  }
  for (let replies = (resumed?.replies ?? 0) + 1; ; replies++) {
    enough ||= replies >= MOST_REPLIES || callsMade() >= MOST_CALLS;
    const reply = await replyTo(deps, task, rounds, enough ? [] : task.tools, audience, mouth.say);
    if (enough || reply.calls.length === 0) break;
    const calls: Round['calls'][number][] = [];
    let suspended: { readonly place: number; readonly pending: PendingCall } | undefined;
    for (const [place, call] of reply.calls.entries()) {
      if (gone) throw new AudienceLeft();
      if (suspended) {
        calls.push({ call: sendable(call, ids), result: NOT_YET });
        continue;
      }
      const more: boolean = !enough && callsMade() < MOST_CALLS;
      const called: Called | undefined = more
        ? await take(deps, caller, call, task, progress, mouth.show)
        : undefined;
      enough ||= called?.circling === true;
      calls.push({ call: sendable(call, ids), result: called?.result ?? NO_MORE });
      if (called?.pending) suspended = { place, pending: called.pending };
    }
    rounds.push({ said: reply.said, calls });
    if (suspended) {
      await mouth.pause();
      return { rounds, ...suspended, replies, steps: callsMade(), calls: caller.calls };
    }
  }
  await mouth.end();
  return undefined;
}

const NOT_YET = JSON.stringify({
  error: 'Not run: the owner was asked about another call first. Call it again if it is needed.',
});

const withResult = (round: Round | undefined, place: number, result: string): Round => ({
  said: round?.said ?? '',
  calls: (round?.calls ?? []).map((each, i) => (i === place ? { ...each, result } : each)),
});

/** Rejects a context window that is too small for tools. */
function requireRoom({ engine, tools, talk }: Task): void {
  const least =
    tokensOf({ ...talk, message: '', data: '', history: [], rounds: [] }) + LEAST_TOKENS;
  if (least > roomFor(engine.contextTokens, tools))
    throw modelFailed('The model can not hold enough at once to work with tools (context_tokens).');
}

/** One reply of the model, emitted as it arrives. */
async function replyTo(
  deps: RunDeps,
  { engine, talk }: Task,
  rounds: readonly Round[],
  tools: readonly ModelTool[],
  audience: AnswerAudience,
  say: (text: string, first: boolean) => Promise<void>,
): Promise<{ readonly said: string; readonly calls: readonly ToolCall[] }> {
  const messages = messagesIn({ ...talk, rounds }, roomFor(engine.contextTokens, tools));
  const { endpoint } = engine;
  const totalMs = deps.answerSeconds * 1000;
  const wanted = { endpoint, messages, totalMs, ...(tools.length > 0 && { tools }) };
  let said = '';
  const calls: ToolCall[] = [];
  for await (const event of drawn(deps.models, wanted, audience.left)) {
    if (event.type === 'call') calls.push(event.call);
    if (event.type !== 'text') continue;
    await say(event.text, said === '');
    said += event.text;
  }
  return { said, calls };
}

/** One step: the call, its stored record and its visible form. */
async function take(
  deps: RunDeps,
  caller: Calling,
  call: ToolCall,
  { attached, work }: Task,
  progress: Progress,
  show: (step: Step) => Promise<void>,
): Promise<Called> {
  // A run may take minutes, but a revoked token must end it immediately.
  await requireToken(deps, work.caller);
  return record(caller, await caller.call(call), { attached, work }, progress, show);
}

/** The step that the owner has decided on. */
async function decide(
  deps: RunDeps,
  caller: Calling,
  { pending, decision }: NonNullable<Task['resumed']>,
  task: Task,
  progress: Progress,
  show: (step: Step) => Promise<void>,
): Promise<Called> {
  await requireToken(deps, task.work.caller);
  return record(caller, await caller.decided(pending, decision), task, progress, show);
}

async function record(
  caller: Calling,
  called: Called,
  { attached, work }: Pick<Task, 'attached' | 'work'>,
  progress: Progress,
  show: (step: Step) => Promise<void>,
): Promise<Called> {
  const { tool, arguments: given, summary, touched = [], confirmation } = called;
  // The first call is given the objects of the attachments.
  const known = progress.steps.length === 0 ? attached : [];
  const objectIds = [...new Set([...known, ...dealtIn(called, work.zone)])];
  const step: Step = {
    tool,
    arguments: given,
    summary,
    ...(confirmation && { confirmation }),
    objectIds,
  };
  progress.tainted = caller.tainted;
  progress.steps.push(step);
  progress.touched.push(...touched);
  progress.acted ||= called.ran;
  await show(step);
  return called;
}

/** The objects of a call. For a rejected call, the objects it names, unless the hidden zone is locked. */
function dealtIn({ touched = [], found = [], arguments: given }: Called, zone: Zone) {
  const ids = [...found, ...touched.map(({ objectId }) => objectId)];
  if (ids.length > 0 || zone === 'closed') return ids;
  const named = JSON.stringify(given).match(UUIDS) ?? [];
  return named.map((id) =>
    id.toLowerCase().replaceAll('-', '').replace(UUID_PARTS, '$1-$2-$3-$4-$5'),
  );
}

const UUIDS = /[0-9a-f]{8}(?:-?[0-9a-f]{4}){4}[0-9a-f]{8}/gi;
const UUID_PARTS = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/;

/** Emits text and steps. Text before and after a step forms separate paragraphs of one answer. */
function mouthOf({ sessionId, work, talk }: Task, audience: AnswerAudience, progress: Progress) {
  const reader = citingReader(() => work.offering.passages);
  const tell = teller(audience, sessionId, progress);
  let spoken = false;
  return {
    say: async (text: string, first: boolean) => {
      await tell(reader.feed(first && spoken ? `\n\n${text}` : text));
      spoken = true;
    },
    show: async ({ objectIds: _known, ...step }: Step) => {
      // The first event is always the session.
      await tell({ text: '', citations: [] });
      await audience.tell({ type: 'step', step });
    },
    /** Ends without an answer: a confirmation is required first. */
    pause: async () => tell(reader.end()),
    end: async () => {
      await tell(reader.end());
      if (progress.content === '') await tell({ text: noAnswer(talk.message), citations: [] });
    },
  };
}
