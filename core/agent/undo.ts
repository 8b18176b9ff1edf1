import { TOOL_NAMES } from '../../ports/agent-tools.ts';
import type { AgentUndo, UndoEffect } from '../../ports/agent-undos.ts';
import type { CalendarEvent } from '../../ports/calendar.ts';
import type { StoredObject } from '../../ports/objects.ts';
import type { Clock } from '../../ports/runtime.ts';
import type { TimeZones } from '../../ports/time-zones.ts';
import type { Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { recreateEvent } from '../calendar/index.ts';
import { visibleChat } from '../conversations/index.ts';
import { zoneFor, type Zone, type ZoneDeps } from '../hidden-zone/index.ts';
import { authorize } from '../identity/index.ts';
import { saveResponse } from '../idempotency/index.ts';
import { changedSince, findVisible, restoreFields, setTrashed } from '../objects/index.ts';
import type { Caller } from '../shared/caller.ts';
import { notFound } from '../shared/common-errors.ts';
import { TOOLS } from './tools/index.ts';
import { AGENT_UNDO_MS } from './undo-record.ts';

type UndoStores = Pick<
  Stores,
  | 'agentUndos'
  | 'bulkRuns'
  | 'calendar'
  | 'chats'
  | 'collections'
  | 'idempotency'
  | 'notifications'
  | 'objects'
  | 'pinLock'
  | 'search'
>;

export interface UndoStepDeps extends ZoneDeps {
  readonly uow: UnitOfWork<keyof UndoStores>;
  readonly clock: Clock;
}

export interface RedoStepDeps extends UndoStepDeps {
  readonly zones: TimeZones;
}

export interface UndoneStep {
  readonly id: string;
  /** False after a redo. */
  readonly isUndone: boolean;
  /** The objects that were changed, moved to the trash or restored from it. */
  readonly objectIds: readonly string[];
  /** The events that were removed, or created again. */
  readonly eventIds: readonly string[];
}

/**
 * Undoes what one step of the agent changed: all of it or nothing. Restores names, folders and categories, moves a created
 * object to the trash and removes a created event. Needs neither the agent nor a model, so both may be off since.
 *
 * Ends with `not_found` if the undo is unknown, used, expired, of another owner, of a deleted session, or concealed by
 * the hidden zone, with `forbidden` if the caller may not do what the tool does, with `changed_since` if what the step
 * changed was changed again, and with `in_trash`.
 */
export async function undoAgentStep(
  deps: UndoStepDeps,
  caller: Caller,
  id: string,
): Promise<UndoneStep> {
  return deps.uow.write(caller.scope, async (stores) => {
    const { undo, zone } = await findStep(deps, stores, caller, id, false);
    for (const effect of undo.effects) await reverse(deps, stores, zone, effect);
    return saveStep(deps, stores, caller, undo, true);
  });
}

/**
 * Does again what the undo of a step has reversed: all of it or nothing. Sets names, folders and categories, restores a
 * created object from the trash and creates a removed event with its id. Then the step can be undone again.
 *
 * Ends as `undoAgentStep` does, with `not_found` also if the step was not undone, and with `changed_since` if what the
 * undo restored was changed again.
 */
export async function redoAgentStep(
  deps: RedoStepDeps,
  caller: Caller,
  id: string,
): Promise<UndoneStep> {
  return deps.uow.write(caller.scope, async (stores) => {
    const { undo, zone } = await findStep(deps, stores, caller, id, true);
    const effects: UndoEffect[] = [];
    for (const effect of undo.effects) effects.push(await repeat(deps, stores, zone, effect));
    return saveStep(deps, stores, caller, { ...undo, effects }, false);
  });
}

/** The undo of a step that is, or is not, undone at the moment. */
async function findStep(
  deps: UndoStepDeps,
  stores: UndoStores,
  caller: Caller,
  id: string,
  isUndone: boolean,
): Promise<{ readonly undo: AgentUndo; readonly zone: Zone }> {
  const zone = await zoneFor(deps, stores.pinLock, caller);
  const undo = await stores.agentUndos.find(id);
  if (!undo || !isOpen(undo, deps.clock.now()) || (undo.undoneAt !== null) !== isUndone)
    throw notFound();
  await visibleChat(stores, zone, undo.sessionId);
  for (const effect of undo.effects)
    if (effect.kind !== 'event') await findVisible(stores, zone, effect.objectId);
  requireTool(deps, caller, undo);
  return { undo, zone };
}

const isOpen = ({ expiresAt }: Pick<AgentUndo, 'expiresAt'>, now: number): boolean =>
  expiresAt !== null && expiresAt > now;

/** From now on the opposite is possible, for as long as the undo was. */
async function saveStep(
  deps: UndoStepDeps,
  stores: UndoStores,
  caller: Caller,
  undo: AgentUndo,
  isUndone: boolean,
): Promise<UndoneStep> {
  const { id, effects } = undo;
  const now = deps.clock.now();
  const undoneAt = isUndone ? now : null;
  await stores.agentUndos.save({ ...undo, expiresAt: now + AGENT_UNDO_MS, undoneAt });
  const step: UndoneStep = {
    id,
    isUndone,
    objectIds: effects.flatMap((it) => (it.kind === 'event' ? [] : [it.objectId])),
    eventIds: effects.flatMap((it) => (it.kind === 'event' ? [it.as.id] : [])),
  };
  return saveResponse(stores, deps.clock, caller, step);
}

/** An undo or redo is a change of the same kind. */
function requireTool(deps: UndoStepDeps, caller: Caller, { tool }: AgentUndo): void {
  const name = TOOL_NAMES.find((each) => each === tool);
  // A tool that a newer version of the program does not have.
  if (!name) throw notFound();
  authorize(deps, caller, { scope: TOOLS[name].scope });
}

async function reverse(
  deps: UndoStepDeps,
  stores: UndoStores,
  zone: Zone,
  effect: UndoEffect,
): Promise<void> {
  if (effect.kind === 'event') return removeEvent(stores, effect.as);
  const object = await findVisible(stores, zone, effect.objectId);
  if (effect.kind === 'changed') {
    const { from, to } = effect;
    await restoreFields(deps, stores, object, { from: to, to: from });
    return;
  }
  // What the owner has trashed is where the undo would move it.
  if (object.deletedAt !== null) return;
  if (!isAsCreated(object, effect.as)) throw changedSince();
  await setTrashed(deps, stores, object, true);
}

/** The effect as the next undo compares it. */
async function repeat(
  deps: RedoStepDeps,
  stores: UndoStores,
  zone: Zone,
  effect: UndoEffect,
): Promise<UndoEffect> {
  if (effect.kind === 'event') {
    const event = await recreateEvent(deps, stores, effect.as);
    if (!event) throw changedSince({}, undefined, 'There is such an event again.');
    return { kind: 'event', as: event };
  }
  const object = await findVisible(stores, zone, effect.objectId);
  if (effect.kind === 'changed') {
    await restoreFields(deps, stores, object, effect);
    return effect;
  }
  // What the owner has restored is where the redo would put it.
  if (object.deletedAt === null) return effect;
  if (!isAsCreated(object, effect.as)) throw changedSince();
  await setTrashed(deps, stores, object, false);
  return effect;
}

/** A name, a summary or a type that processing has set since is no change by a person. */
const isAsCreated = (
  object: StoredObject,
  as: Extract<UndoEffect, { readonly kind: 'created' }>['as'],
): boolean =>
  object.version === as.version &&
  object.collectionId === as.collectionId &&
  object.isHidden === as.isHidden &&
  !object.hasCorrections &&
  (object.filename === as.filename || object.nameSource === 'ai') &&
  JSON.stringify(object.categories) === JSON.stringify(as.categories);

async function removeEvent(
  { calendar }: Pick<Stores, 'calendar'>,
  created: CalendarEvent,
): Promise<void> {
  const event = await calendar.find(created.id);
  if (!event) throw notFound();
  const isChanged =
    !isSameEvent(event, created) || (await calendar.exceptions(created.id)).length > 0;
  if (isChanged) throw changedSince({}, undefined, 'The event has been changed since.');
  await calendar.remove(created.id);
}

/** Reminders that were sent since are no change. */
function isSameEvent(event: CalendarEvent, created: CalendarEvent): boolean {
  const { nextReminderAt: _sent, ...rest } = created;
  const now = new Map<string, unknown>(Object.entries(event));
  return Object.entries(rest).every(
    ([name, value]) => JSON.stringify(now.get(name)) === JSON.stringify(value),
  );
}
