import type { AccountRoles, Accounts } from '../../ports/identity.ts';
import type { Integration } from '../../ports/integrations.ts';
import type { LanguageModel, ModelCheck } from '../../ports/language-model.ts';
import type { StoredObject } from '../../ports/objects.ts';
import type { Task } from '../../ports/tasks.ts';
import type { Scheduler } from '../../ports/runtime.ts';
import type { OwnerScope, Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import {
  enrichmentRequest,
  parseModelReply,
  type Findings,
  type ModelFindings,
} from '../enrichment/index.ts';
import { limitsOf } from '../identity/index.ts';
import { recordOutcome } from '../integrations/index.ts';
import {
  endPause,
  findPause,
  pauseModel,
  skipProbe,
  type ModelPause,
} from '../model-pause/index.ts';
import {
  busyModelIn,
  engineFor,
  EXTRACTIVE,
  nameOf,
  collectText,
  type CollectedText,
  type Engine,
  type EngineDeps,
  type ModelEngine,
} from '../models/index.ts';
import type { NotifyDeps } from '../notifications/index.ts';
import { indexObjectMetadata } from '../search/index.ts';
import { DomainError } from '../shared/errors.ts';
import type { TaskHandler } from '../tasks/index.ts';
import { charge, refund, type Charge } from '../usage/index.ts';
import { findingsOf, saveFindings, nameLater, type ReadText } from './enrichment.ts';
import {
  delayed,
  finishesProcessing,
  isDelayed,
  isEligibleForModel,
  mayWait,
  namingOf,
} from './model-enrichment-task.ts';
import { notifyReadEnd } from './notify-owner.ts';

type EnrichStores = Pick<
  Stores,
  | 'enrichments'
  | 'integrations'
  | 'notifications'
  | 'objects'
  | 'search'
  | 'settings'
  | 'tasks'
  | 'texts'
  | 'usage'
>;

export interface EnrichDeps extends EngineDeps, NotifyDeps {
  readonly uow: UnitOfWork<keyof EnrichStores>;
  readonly accounts: Pick<Accounts, 'findOwner'>;
  readonly answerSeconds: number;
  readonly scheduler: Scheduler;
  readonly models: LanguageModel;
  readonly roles: AccountRoles;
}

/** Maximum number of calls of a failing model; the second is without JSON mode, which not every service supports. */
const MAX_REQUESTS_PER_TASK = 2;

/** A model that is busy for this long counts as failing: its card says so, and the owner is notified. */
const LASTING_MS = 300_000;

/**
 * Lets a model analyse an object's text. Regardless of the outcome, the object is finished afterwards: if the model
 * returned nothing, with the built-in findings. The task of a busy model remains, and is repeated when it answers.
 */
export const enrichObject = (deps: EnrichDeps): TaskHandler => ({
  run: async (scope, task) => {
    const subject = await deps.uow.read(scope, (stores) => subjectOf(deps, stores, task));
    const outcome = subject ? await outcomeOf(deps, scope, task, subject) : {};
    // The name from the built-in findings is given once, not again with every refusal.
    const isKnown = outcome.busy && isDelayed(task);
    const findings =
      subject && !isKnown ? await findingsFor(deps, subject, outcome.reply) : undefined;
    await finish(deps, scope, task, { ...outcome, ...(findings && { findings }) });
  },
  abandon: (scope, task) => finish(deps, scope, task, {}),
});

/** The input for the model, and the model. */
interface Subject {
  readonly object: StoredObject;
  readonly read: ReadText;
  readonly engine: Engine;
  /** The owner's connection of the engine. */
  readonly own: Integration | undefined;
  /** Why the owner's connection cannot be used. */
  readonly unusable: string | undefined;
  /** The model is busy, and another document tries it. */
  readonly pause: ModelPause | undefined;
}

interface Outcome {
  readonly reply?: ModelFindings;
  /** Name of the model that returned the findings. */
  readonly model?: string;
  /** Result of using the owner's connection. */
  readonly verdict?: { readonly own: Integration; readonly check: ModelCheck };
  /** The charge to refund. */
  readonly chargeToRefund?: Charge;
  readonly findings?: Findings;
  /** The model was called. */
  readonly called?: boolean;
  /** The model is busy: what it said now, or before. */
  readonly busy?: { readonly reason: string; readonly retryAfterSeconds: number | null };
  /** The owner's connection to the busy model. */
  readonly own?: Integration;
}

/** Undefined if the text has changed since. */
async function subjectOf(
  deps: EnrichDeps,
  stores: EnrichStores,
  task: Task,
): Promise<Subject | undefined> {
  const object = await current(stores, task);
  if (!object) return undefined;
  const read = await textOf(stores, object, task);
  if (!read) return undefined;
  const connected = await stores.integrations.find('llm');
  const own = connected?.enabled ? connected : undefined;
  const found = await findPause(stores.tasks);
  const pause = found?.probe === task.id ? undefined : found;
  const subject = { object, read, own, unusable: undefined, pause };
  if (!isEligibleForModel(object)) return { ...subject, engine: EXTRACTIVE };
  try {
    return { ...subject, engine: await engineFor(deps, stores) };
  } catch (error) {
    if (!isKind(error, 'upstream-failed')) throw error;
    return { ...subject, engine: EXTRACTIVE, unusable: error.message };
  }
}

async function textOf(
  { texts, enrichments }: EnrichStores,
  { id }: StoredObject,
  task: Task,
): Promise<ReadText | undefined> {
  const { text, correction } = await texts.find(id);
  if ((correction?.savedAt ?? null) !== task.payload['correctedAt']) return undefined;
  const title = (await enrichments.find(id))?.title ?? '';
  if (correction) return { text: correction.text, language: correction.language, title, pages: 1 };
  return text && { text: text.text, language: text.language, title, pages: text.pages.length };
}

async function outcomeOf(
  deps: EnrichDeps,
  scope: OwnerScope,
  task: Task,
  subject: Subject,
): Promise<Outcome> {
  const { engine, own, unusable, object, read, pause } = subject;
  if (own && unusable !== undefined)
    return { verdict: { own, check: { ok: false, reason: unusable } } };
  if (engine.kind !== 'model' || read.text.trim() === '') return {};
  const { originalName, kind } = object;
  const asked = { filename: originalName, kind, text: read.text };
  const request = enrichmentRequest(asked, engine.contextTokens, deps.random.uuid());
  if (!request) return {};
  const connection = own && { own };
  if (pause) return { ...connection, busy: { reason: pause.reason, retryAfterSeconds: null } };
  const paid = engine.metered ? await pay(deps, scope, task) : undefined;
  if (engine.metered && !paid) return {};
  const verdict = (check: ModelCheck) => (own ? { verdict: { own, check } } : {});
  const said = await ask(deps, scope, task, engine, request.messages, paid);
  const unused = { called: true, ...(paid && { chargeToRefund: paid }) };
  if ('busy' in said) return { ...unused, ...connection, busy: said.busy };
  if ('failure' in said) return { ...unused, ...verdict({ ok: false, reason: said.failure }) };
  const { text, cutOff } = said.reply;
  // A reply that was cut off is used if the object in it is complete.
  const reply = parseModelReply(text, request.shown, read.language);
  const check: ModelCheck = cutOff === undefined ? { ok: true } : { ok: false, reason: cutOff };
  if (!reply) return { ...unused, ...verdict(check) };
  return { ...verdict({ ok: true }), called: true, reply, model: nameOf(engine) };
}

type Answer =
  | { readonly reply: CollectedText }
  | { readonly failure: string }
  | { readonly busy: NonNullable<Outcome['busy']> };

/** A failing model is retried once, after a delay; one that is too slow or busy is not. */
async function ask(
  deps: EnrichDeps,
  scope: OwnerScope,
  task: Task,
  { endpoint }: ModelEngine,
  messages: Parameters<typeof collectText>[1]['messages'],
  paid: Charge | undefined,
): Promise<Answer> {
  const { models, answerSeconds } = deps;
  const jsonOnly = task.attempts < MAX_REQUESTS_PER_TASK;
  const input = { endpoint, messages, jsonOnly, totalMs: answerSeconds * 1_000 };
  try {
    // Separate promise per call: callbacks on a promise that never settles are retained as long as it is.
    return { reply: await collectText(models, input, new Promise<void>(() => undefined)) };
  } catch (error) {
    const busy = busyModelIn(error);
    if (busy) return { busy: { reason: busy.message, retryAfterSeconds: busy.retryAfterSeconds } };
    if (isKind(error, 'deadline'))
      return { failure: `The model did not answer within ${answerSeconds} seconds.` };
    if (isKind(error, 'upstream-failed') && task.attempts >= MAX_REQUESTS_PER_TASK)
      return { failure: error.message };
    if (paid) await repay(deps, scope, task, paid);
    throw error;
  }
}

/**
 * Counts the use of the operator's model, once per task: a worker that claims it after a crash finds it counted.
 * Undefined if the monthly quota is used up, and for a task that was deleted or claimed by another worker.
 */
async function pay(deps: EnrichDeps, scope: OwnerScope, task: Task): Promise<Charge | undefined> {
  const owner = await deps.accounts.findOwner(scope.ownerId);
  const limits = limitsOf(deps.roles, owner?.role ?? '');
  try {
    return await deps.uow.write(scope, async (stores) => {
      const claim = await stores.tasks.find(task.id);
      if (claim?.attempts !== task.attempts) return undefined;
      const before = claim.payload['charge'];
      if (before !== undefined) return before as Charge;
      const paid = await charge(stores, deps.clock, limits, 'enrichments');
      await stores.tasks.save({ ...claim, payload: { ...claim.payload, charge: paid } });
      return paid;
    });
  } catch (error) {
    if (isKind(error, 'quota-exceeded')) return undefined;
    throw error;
  }
}

async function repay(deps: EnrichDeps, scope: OwnerScope, task: Task, paid: Charge): Promise<void> {
  await deps.uow.write(scope, async (stores) => {
    const claim = await stores.tasks.find(task.id);
    if (claim && claim.attempts !== task.attempts) return;
    await refund(stores, paid);
    if (!claim) return;
    const { charge: _, ...payload } = claim.payload;
    await stores.tasks.save({ ...claim, payload });
  });
}

/** The built-in findings, overridden by the model's; dates are extracted according to the model's document type. */
async function findingsFor(
  deps: EnrichDeps,
  { object, read }: Subject,
  reply: ModelFindings | undefined,
): Promise<Findings> {
  return { ...(await findingsOf(deps, object, read, reply?.docType)), ...reply };
}

async function finish(
  deps: EnrichDeps,
  scope: OwnerScope,
  task: Task,
  outcome: Outcome,
): Promise<void> {
  await deps.uow.write(scope, async (stores) => {
    const claim = await stores.tasks.find(task.id);
    // Claimed by another worker, which completes it.
    if (claim && claim.attempts !== task.attempts) return;
    await stores.tasks.remove(task.id);
    if (outcome.chargeToRefund) await refund(stores, outcome.chargeToRefund);
    const isFailing = await settlePause(deps, stores.tasks, task, outcome);
    const verdict = isFailing ? busyVerdict(outcome) : outcome.verdict;
    if (verdict) await record(deps, stores, verdict);
    const object = claim && (await current(stores, task));
    if (!object) return;
    let changed = await withOutcome(stores, task, object, outcome);
    const now = deps.clock.now();
    if (outcome.busy && mayWait(task, now))
      await stores.tasks.save(
        delayed(claim, outcome.busy.reason, nameToReplace(task, object, changed), now),
      );
    const ends = finishesProcessing(task) && object.status === 'processing';
    if (ends) changed = { ...changed, status: 'ready' };
    if (changed === object) return;
    changed = { ...changed, updatedAt: deps.clock.now() };
    await stores.objects.save(changed);
    await indexObjectMetadata(stores.search, changed, object);
    if (ends) await notifyReadEnd(deps, stores, task, changed);
  });
}

/** The object with the findings and the name of the outcome, unless its text or its name has changed since. */
async function withOutcome(
  stores: EnrichStores,
  task: Task,
  object: StoredObject,
  { reply, model, findings }: Outcome,
): Promise<StoredObject> {
  if (!findings || !(await textOf(stores, object, task))) return object;
  const names = namingOf(task).namedBefore === object.aiName;
  if (reply && model !== undefined)
    return saveFindings(stores, object, findings, { model, names, replacesName: isDelayed(task) });
  return names ? nameLater(stores, object, findings) : object;
}

/** The generated name that a later one may replace; undefined if the owner has answered. */
const nameToReplace = (
  task: Task,
  object: StoredObject,
  changed: StoredObject,
): string | undefined =>
  namingOf(task).namedBefore === object.aiName ? changed.aiName : undefined;

/**
 * Begins, prolongs or ends the pause of a busy model. Returns whether the model counts as failing: it is busy for
 * minutes, or for longer than the document may wait.
 */
async function settlePause(
  deps: EnrichDeps,
  tasks: Stores['tasks'],
  task: Task,
  { busy, called = false }: Outcome,
): Promise<boolean> {
  const now = deps.clock.now();
  if (busy && called) {
    const { since, until } = await pauseModel(deps, tasks, task.id, busy);
    return until - since >= LASTING_MS || !mayWait(task, now);
  }
  const pause = await findPause(tasks);
  if (pause?.probe === task.id)
    await (called ? endPause(tasks, now) : skipProbe(tasks, pause, now));
  return busy !== undefined && !mayWait(task, now);
}

const busyVerdict = ({ own, busy }: Outcome): Outcome['verdict'] =>
  own && busy && { own, check: { ok: false, reason: busy.reason } };

/** The connection's card changes, and the owner is notified, if the result differs from the last one. */
async function record(
  deps: NotifyDeps,
  stores: Pick<Stores, 'integrations' | 'notifications'>,
  { own, check }: NonNullable<Outcome['verdict']>,
): Promise<void> {
  const now = await stores.integrations.find(own.kind);
  if (check.ok && now?.health === 'ok') return;
  await recordOutcome(deps, stores, own.kind, own, check);
}

async function current(
  { objects }: Pick<Stores, 'objects'>,
  { subject, payload }: Task,
): Promise<StoredObject | undefined> {
  const object = await objects.find(subject);
  return object && object.version === payload['version'] ? object : undefined;
}

const isKind = (error: unknown, kind: DomainError['kind']): error is DomainError =>
  error instanceof DomainError && error.kind === kind;
