import type { ToolName } from '../../ports/agent-tools.ts';
import type { ChatAttachment, MessageAgentRole } from '../../ports/conversations.ts';
import type { Directory } from '../../ports/directory.ts';
import type { LanguageModel, ModelTool, ToolCall } from '../../ports/language-model.ts';
import { createCitationStream, type CitedChunk } from '../answers/index.ts';
import {
  createAnswerEmitter,
  cutOffBy,
  toStoredStep,
  toVisibleStep,
  type AnswerSubscriber,
  type PartialAnswer,
  type Step,
} from '../conversations/index.ts';
import { streamModel, modelFailed, type ModelEngine } from '../models/index.ts';
import type { Zone } from '../hidden-zone/index.ts';
import { requireCredential } from '../identity/index.ts';
import { ClientDisconnectedError } from '../shared/stream-subscriber.ts';
import {
  createToolRunner,
  type ToolCallResult,
  type ToolRunner,
  type ToolRunnerDeps,
  type Decision,
  type PendingCall,
  type Trust,
} from './tool-runner.ts';
import { noAnswer } from './phrases.ts';
import { normalizeToolCall } from './tool-call-json.ts';
import {
  MIN_TOKENS,
  fitToTokenBudget,
  tokenBudget,
  tokensOf,
  type AgentStep,
  type AgentTranscript,
} from './context-window.ts';
import type { AgentContext } from './tool.ts';

export type RunDeps = ToolRunnerDeps & {
  readonly directory: Directory;
  readonly models: LanguageModel;
  /** Maximum duration of each model reply. */
  readonly answerSeconds: number;
};

/** The progress of a run. */
export interface Progress extends PartialAnswer {
  readonly steps: Step[];
  readonly touched: ChatAttachment[];
  /** Whether an operation was started. */
  acted: boolean;
  /** Whether the model was shown text that the owner did not type. */
  tainted: boolean;
}

/** The state of a suspended run, for resuming after the owner's decision. */
export interface Suspension {
  /** The last one holds the pending call, without a result. */
  readonly rounds: readonly AgentStep[];
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
  readonly work: AgentContext;
  readonly role: MessageAgentRole;
  readonly allowed: readonly ToolName[];
  readonly tools: readonly ModelTool[];
  readonly talk: Omit<AgentTranscript, 'rounds'>;
  /** Document text in the conversation before any lookup, and its objects. */
  readonly quoted: readonly string[];
  readonly attached: readonly string[];
  readonly trust: Trust;
  /** A run that is resumed after the owner's decision. */
  readonly resumed?: Suspension & { readonly decision: Decision };
}

/** Limits of one run. */
export const MAX_REPLIES = 12;
export const MAX_TOOL_CALLS = 24;

const NO_MORE = JSON.stringify({ error: 'No more steps can be taken. Answer with what is there.' });

/**
 * Lets a model use tools until it answers, and emits steps and text as they arrive. After the maximum of replies or
 * calls the model is called a last time, without tools. `progress` also holds the completed steps if the run ends
 * early: with `deadline`, `upstream_failed`, `unauthorized`, an outage, or ClientDisconnectedError. If a call needs
 * the owner's confirmation, the run returns suspended before that call has any effect.
 */
export async function runAgent(
  deps: RunDeps,
  task: Task,
  audience: AnswerSubscriber,
  progress: Progress,
): Promise<Suspension | undefined> {
  requireRoom(task);
  const mouth = mouthOf(task, audience, progress);
  const { resumed } = task;
  const caller = createToolRunner(deps, task.work, task.allowed, task.trust, task.sessionId);
  caller.checkForInjection(task.quoted);
  progress.tainted = caller.tainted;
  let missing = false;
  audience.disconnected.then(
    () => (missing = true),
    () => (missing = true),
  );
  const rounds: AgentStep[] = [...(resumed?.rounds ?? [])];
  const ids = new Set(rounds.flatMap(({ calls }) => calls.map(({ call }) => call.id)));
  const before = resumed?.steps ?? 0;
  const callsMade = () => before + progress.steps.length;
  let enough = false;
  // Yields first, so that a disconnected client is noticed.
  await Promise.resolve();
  if (resumed) {
    if (missing) throw new ClientDisconnectedError();
    const called = await decide(deps, caller, resumed, task, progress, mouth.show);
    rounds.splice(-1, 1, withResult(rounds.at(-1), resumed.place, called.result));
  }
  for (let replies = (resumed?.replies ?? 0) + 1; ; replies++) {
    enough ||= replies >= MAX_REPLIES || callsMade() >= MAX_TOOL_CALLS;
    const reply = await replyTo(
      deps,
      task,
      rounds,
      enough ? [] : task.tools,
      audience,
      mouth,
      progress,
    );
    if (enough || reply.calls.length === 0) break;
    const calls: AgentStep['calls'][number][] = [];
    let suspended: { readonly place: number; readonly pending: PendingCall } | undefined;
    for (const [place, call] of reply.calls.entries()) {
      if (missing) throw new ClientDisconnectedError();
      if (suspended) {
        calls.push({ call: normalizeToolCall(call, ids), result: NOT_YET });
        continue;
      }
      const more: boolean = !enough && callsMade() < MAX_TOOL_CALLS;
      const called: ToolCallResult | undefined = more
        ? await take(deps, caller, call, task, progress, mouth.show)
        : undefined;
      enough ||= called?.isLooping === true;
      calls.push({ call: normalizeToolCall(call, ids), result: called?.result ?? NO_MORE });
      if (called?.pending) suspended = { place, pending: called.pending };
    }
    const { text, state } = reply;
    rounds.push({ text, calls, ...(state !== undefined && { state }) });
    caller.showResults();
    progress.tainted = caller.tainted;
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

const withResult = (round: AgentStep | undefined, place: number, result: string): AgentStep => ({
  ...round,
  text: round?.text ?? '',
  calls: (round?.calls ?? []).map((each, i) => (i === place ? { ...each, result } : each)),
});

/** Rejects a context window that is too small for tools. */
function requireRoom({ engine, tools, talk }: Task): void {
  const least = tokensOf({ ...talk, message: '', data: '', history: [], rounds: [] }) + MIN_TOKENS;
  if (least > tokenBudget(engine.contextTokens, tools))
    throw modelFailed('The model can not hold enough at once to work with tools (context_tokens).');
}

interface Reply {
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly state?: string;
}

/** One reply of the model, emitted as it arrives. */
async function replyTo(
  deps: RunDeps,
  { engine, talk }: Task,
  rounds: readonly AgentStep[],
  tools: readonly ModelTool[],
  audience: AnswerSubscriber,
  mouth: Pick<ReturnType<typeof mouthOf>, 'say' | 'restart'>,
  progress: Progress,
): Promise<Reply> {
  const messages = fitToTokenBudget({ ...talk, rounds }, tokenBudget(engine.contextTokens, tools));
  const { endpoint } = engine;
  const totalMs = deps.answerSeconds * 1000;
  const input = { endpoint, messages, totalMs, ...(tools.length > 0 && { tools }) };
  let text = '';
  const calls: ToolCall[] = [];
  let state: string | undefined;
  for await (const event of streamModel(deps.models, input, audience.disconnected)) {
    if (event.type === 'call') calls.push(event.call);
    if (event.type === 'end') {
      progress.cutOff = cutOffBy(event.reason);
      state = event.state;
    }
    if (event.type === 'restart') {
      text = '';
      mouth.restart();
    }
    if (event.type !== 'text') continue;
    await mouth.say(event.text, text === '');
    text += event.text;
  }
  return { text, calls, ...(state !== undefined && { state }) };
}

/** One step: the call, its stored record and its visible form. */
async function take(
  deps: RunDeps,
  caller: ToolRunner,
  call: ToolCall,
  { attached, work }: Task,
  progress: Progress,
  show: (step: Step) => Promise<void>,
): Promise<ToolCallResult> {
  // A run may take minutes, but a revoked token must end it immediately.
  await requireCredential(deps, work.caller);
  return record(caller, await caller.call(call), { attached, work }, progress, show);
}

/** The step that the owner has decided on. */
async function decide(
  deps: RunDeps,
  caller: ToolRunner,
  { pending, decision }: NonNullable<Task['resumed']>,
  task: Task,
  progress: Progress,
  show: (step: Step) => Promise<void>,
): Promise<ToolCallResult> {
  await requireCredential(deps, task.work.caller);
  return record(caller, await caller.decided(pending, decision), task, progress, show);
}

async function record(
  caller: ToolRunner,
  called: ToolCallResult,
  { attached, work }: Pick<Task, 'attached' | 'work'>,
  progress: Progress,
  show: (step: Step) => Promise<void>,
): Promise<ToolCallResult> {
  const { tool, arguments: given, summary, touched = [] } = called;
  const { confirmation, subject, undo, change, because } = called;
  // The first call is given the objects of the attachments.
  const known = progress.steps.length === 0 ? attached : [];
  // A locked hidden zone conceals the quoted words together with their object.
  const quoted = because?.object_id === undefined ? [] : [because.object_id];
  const objectIds = [...new Set([...known, ...dealtIn(called, work.zone), ...quoted])];
  const step: Step = {
    tool,
    arguments: given,
    summary,
    ...(confirmation && { confirmation }),
    ...(subject && { subject }),
    ...(undo !== undefined && { undo }),
    ...(change && { change }),
    ...(because && { because }),
    objectIds,
  };
  progress.tainted = caller.tainted;
  progress.steps.push(step);
  progress.touched.push(...touched);
  progress.acted ||= called.ran;
  await show(step);
  return called;
}

/** The objects of a call. For one that was not run, also the objects it names, unless the hidden zone is locked. */
function dealtIn(
  { touched = [], found = [], arguments: given, pending }: ToolCallResult,
  zone: Zone,
): readonly string[] {
  const ids = [...found, ...touched.map(({ objectId }) => objectId)];
  if ((ids.length > 0 && !pending) || zone === 'closed') return ids;
  const named = JSON.stringify(given).match(UUIDS) ?? [];
  const normalized = named.map((id) =>
    id.toLowerCase().replaceAll('-', '').replace(UUID_PARTS, '$1-$2-$3-$4-$5'),
  );
  return [...ids, ...normalized];
}

const UUIDS = /[0-9a-f]{8}(?:-?[0-9a-f]{4}){4}[0-9a-f]{8}/gi;
const UUID_PARTS = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/;

/** Emits text and steps. Text before and after a step forms separate paragraphs of one answer. */
function mouthOf({ sessionId, work, talk }: Task, audience: AnswerSubscriber, progress: Progress) {
  const readerOf = () => createCitationStream(() => work.offering.passages);
  let reader = readerOf();
  const emitter = createAnswerEmitter(audience, sessionId, progress);
  /** As read, of the earlier replies and of the current one. */
  let [earlier, current] = ['', ''];
  return {
    say: async (text: string, first: boolean) => {
      if (first) earlier += current;
      const isNext = first && earlier !== '';
      const said = isNext ? `\n\n${text}` : text;
      current = first ? said : current + said;
      await emitter.emit(reader.feed(said));
    },
    /** The current reply has only reasoned so far. */
    restart: () => {
      current = '';
      reader = readerOf();
      emitter.restart([reader.feed(earlier)]);
    },
    show: async (step: Step) => {
      // The first event is always the session.
      await emitter.emit(SILENCE);
      await audience.send({ type: 'step', step: toVisibleStep(toStoredStep(step)) });
    },
    /** Ends without an answer: a confirmation is required first. */
    pause: async () => emitter.emit(reader.end()),
    end: async () => {
      await emitter.emit(reader.end());
      if (progress.content === '')
        await emitter.emit({ text: noAnswer(talk.message), citations: [] });
    },
  };
}

const SILENCE: CitedChunk = { text: '', citations: [] };
