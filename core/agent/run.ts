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
import { calling, type Called, type Calling, type CallingDeps } from './calling.ts';
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
}

export interface Task {
  readonly engine: ModelEngine;
  readonly sessionId: string;
  readonly work: Work;
  readonly allowed: readonly ToolName[];
  readonly tools: readonly ModelTool[];
  readonly talk: Omit<Talk, 'rounds'>;
  /** What documents say in the talk before anything is looked up, and whose they are. */
  readonly quoted: readonly string[];
  readonly attached: readonly string[];
}

/** Of one run. */
export const MOST_REPLIES = 12;
export const MOST_CALLS = 24;

const NO_MORE = JSON.stringify({ error: 'No more steps can be taken. Answer with what is there.' });

/**
 * Lets a model use tools until it answers, and tells its steps and what it says as they come. After so many replies or
 * calls it is asked a last time, without tools. `progress` holds what was done also when the run ends early: with
 * `deadline`, `upstream_failed`, `unauthorized`, an outage, or AudienceLeft.
 */
export async function run(
  deps: RunDeps,
  task: Task,
  audience: AnswerAudience,
  progress: Progress,
): Promise<void> {
  requireRoom(task);
  const mouth = mouthOf(task, audience, progress);
  const caller = calling(deps, task.work, task.allowed);
  caller.heed(task.quoted);
  let gone = false;
  void audience.left.then(() => (gone = true));
  const rounds: Round[] = [];
  const ids = new Set<string>();
  let enough = false;
  for (let replies = 1; ; replies++) {
    enough ||= replies === MOST_REPLIES || progress.steps.length >= MOST_CALLS;
    const reply = await replyTo(deps, task, rounds, enough ? [] : task.tools, audience, mouth.say);
    if (enough || reply.calls.length === 0) break;
    const calls: Round['calls'][number][] = [];
    for (const call of reply.calls) {
      if (gone) throw new AudienceLeft();
      const more: boolean = !enough && progress.steps.length < MOST_CALLS;
      const called: Called | undefined = more
        ? await take(deps, caller, call, task, progress, mouth.show)
        : undefined;
      enough ||= called?.circling === true;
      calls.push({ call: sendable(call, ids), result: called?.result ?? NO_MORE });
    }
    rounds.push({ said: reply.said, calls });
  }
  await mouth.end();
}

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
  const called = await caller.call(call);
  const { tool, arguments: given, summary, touched = [] } = called;
  // The first one knows of what was attached.
  const known = progress.steps.length === 0 ? attached : [];
  const objectIds = new Set([...known, ...dealtIn(called, work.zone)]);
  const step = { tool, arguments: given, summary, objectIds: [...objectIds] };
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
    show: async ({ tool, arguments: given, summary }: Step) => {
      // Whoever hears nothing yet hears of the session first.
      await tell({ text: '', citations: [] });
      await audience.tell({ type: 'step', step: { tool, arguments: given, summary } });
    },
    end: async () => {
      await tell(reader.end());
      if (progress.content === '') await tell({ text: noAnswer(talk.message), citations: [] });
    },
  };
}
