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
  /** How long a model may take for each of its replies. */
  readonly answerSeconds: number;
};

/** A run as far as it has come. */
export interface Progress extends Said {
  readonly steps: Step[];
  readonly touched: ChatAttachment[];
  /** Whether an operation was begun. */
  acted: boolean;
  /** Whether the model was shown text of a document. */
  tainted: boolean;
}

/** The state of a suspended run, to resume it once the owner has decided. */
export interface Suspension {
  /** The last one holds the pending call, without a result. */
  readonly rounds: readonly Round[];
  /** The index of that call in it. */
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
  /** What documents say in the talk before anything is looked up, and whose they are. */
  readonly quoted: readonly string[];
  readonly attached: readonly string[];
  readonly trust: Trust;
  /** A run that is resumed after the owner's decision. */
  readonly resumed?: Suspension & { readonly decision: Decision };
}

/** Of one run. */
export const MOST_REPLIES = 12;
export const MOST_CALLS = 24;

const NO_MORE = JSON.stringify({ error: 'No more steps can be taken. Answer with what is there.' });

/**
 * Lets a model use tools until it answers, and tells its steps and what it says as they come. After so many replies or
 * calls it is asked a last time, without tools. `progress` holds what was done also when the run ends early: with
 * `deadline`, `upstream_failed`, `unauthorized`, an outage, or AudienceLeft. Returns where it is suspended when a call
 * needs the owner's confirmation; nothing of that call has happened then.
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
  // Yields first, so that an audience that has left already is known to have.
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

/** Ends where a model holds too little to work with at all. */
function requireRoom({ engine, tools, talk }: Task): void {
  const least =
    tokensOf({ ...talk, message: '', data: '', history: [], rounds: [] }) + LEAST_TOKENS;
  if (least > roomFor(engine.contextTokens, tools))
    throw modelFailed('The model can not hold enough at once to work with tools (context_tokens).');
}

/** One reply of the model. What it says is told at once. */
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

/** One step: the call, what is kept of it, and what is shown. */
async function take(
  deps: RunDeps,
  caller: Calling,
  call: ToolCall,
  { attached, work }: Task,
  progress: Progress,
  show: (step: Step) => Promise<void>,
): Promise<Called> {
  // A run may take minutes, and a token is revoked at once.
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
  // The first one knows of what was attached.
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

/** What a call dealt in; of one that was refused what it names, unless hidden objects were out of sight anyway. */
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

/** Tells what is said and done. What is said before and after a step are paragraphs of one answer. */
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
      // Whoever hears nothing yet hears of the session first.
      await tell({ text: '', citations: [] });
      await audience.tell({ type: 'step', step });
    },
    /** Ends without an answer: the owner is asked something first. */
    pause: async () => tell(reader.end()),
    end: async () => {
      await tell(reader.end());
      if (progress.content === '') await tell({ text: noAnswer(talk.message), citations: [] });
    },
  };
}
