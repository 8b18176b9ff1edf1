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
  engineFor,
  EXTRACTIVE,
  nameOf,
  collectText,
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
import { finishesProcessing, isEligibleForModel, namingOf } from './model-enrichment-task.ts';
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

/**
 * Lets a model analyse an object's text. Regardless of the outcome, the object is finished afterwards: if the model
 * returned nothing, with the built-in findings.
 */
export const enrichObject = (deps: EnrichDeps): TaskHandler => ({
  run: async (scope, task) => {
    const subject = await deps.uow.read(scope, (stores) => subjectOf(deps, stores, task));
    const outcome = subject ? await outcomeOf(deps, scope, task, subject) : {};
    const findings = subject && (await findingsFor(deps, subject, outcome.reply));
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
  const found = await stores.integrations.find('llm');
  const own = found?.enabled ? found : undefined;
  const subject = { object, read, own, unusable: undefined };
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
  const { engine, own, unusable, object, read } = subject;
  if (own && unusable !== undefined)
    return { verdict: { own, check: { ok: false, reason: unusable } } };
  if (engine.kind !== 'model' || read.text.trim() === '') return {};
  const { originalName, kind } = object;
  const asked = { filename: originalName, kind, text: read.text };
  const request = enrichmentRequest(asked, engine.contextTokens, deps.random.uuid());
  if (!request) return {};
  const paid = engine.metered ? await pay(deps, scope, task) : undefined;
  if (engine.metered && !paid) return {};
  const verdict = (check: ModelCheck) => (own ? { verdict: { own, check } } : {});
  const said = await ask(deps, scope, task, engine, request.messages, paid);
  if ('failure' in said)
    return {
      ...verdict({ ok: false, reason: said.failure }),
      ...(paid && { chargeToRefund: paid }),
    };
  const reply = parseModelReply(said.reply, request.shown, read.language);
  if (!reply) return { ...verdict({ ok: true }), ...(paid && { chargeToRefund: paid }) };
  return { ...verdict({ ok: true }), reply, model: nameOf(engine) };
}

/** A failing model is retried once, after a delay; one that is too slow is not. */
async function ask(
  deps: EnrichDeps,
  scope: OwnerScope,
  task: Task,
  { endpoint }: ModelEngine,
  messages: Parameters<typeof collectText>[1]['messages'],
  paid: Charge | undefined,
): Promise<{ readonly reply: string } | { readonly failure: string }> {
  const { models, answerSeconds } = deps;
  const jsonOnly = task.attempts < MAX_REQUESTS_PER_TASK;
  const input = { endpoint, messages, jsonOnly, totalMs: answerSeconds * 1_000 };
  try {
    // Separate promise per call: callbacks on a promise that never settles are retained as long as it is.
    return { reply: await collectText(models, input, new Promise<void>(() => undefined)) };
  } catch (error) {
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
  { reply, model, verdict, chargeToRefund, findings }: Outcome,
): Promise<void> {
  await deps.uow.write(scope, async (stores) => {
    const claim = await stores.tasks.find(task.id);
    // Claimed by another worker, which completes it.
    if (claim && claim.attempts !== task.attempts) return;
    await stores.tasks.remove(task.id);
    if (chargeToRefund) await refund(stores, chargeToRefund);
    if (verdict) await record(deps, stores, verdict);
    const object = claim && (await current(stores, task));
    if (!object) return;
    let changed = object;
    if (findings && (await textOf(stores, object, task))) {
      const { namedBefore } = namingOf(task);
      const names = namedBefore === object.aiName;
      if (reply && model !== undefined)
        changed = await saveFindings(stores, object, findings, { model, names });
      else if (names) changed = await nameLater(stores, object, findings);
    }
    const ends = finishesProcessing(task) && object.status === 'processing';
    if (ends) changed = { ...changed, status: 'ready' };
    if (changed === object) return;
    changed = { ...changed, updatedAt: deps.clock.now() };
    await stores.objects.save(changed);
    await indexObjectMetadata(stores.search, changed, object);
    if (ends) await notifyReadEnd(deps, stores, task, changed);
  });
}

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
