import type { ReorganizationStore } from '../../ports/reorganizations.ts';
import type { Tables } from './database.ts';
import { byCodePoint, cut, newestFirst } from './order.ts';

export function memoryReorganizations({
  reorganizations,
  plannedPlaces,
  plannedMoves,
}: Tables): ReorganizationStore {
  const key = (runId: string, objectId: string) => `${runId} ${objectId}`;
  const dropMoves = (which: (move: { runId: string; objectId: string }) => boolean) => {
    for (const move of plannedMoves.values())
      if (which(move)) plannedMoves.delete(key(move.runId, move.objectId));
  };
  const dropPlan = (dropped: string) => {
    plannedPlaces.delete(dropped);
    dropMoves(({ runId }) => runId === dropped);
  };
  return {
    find: async (id) => reorganizations.get(id),
    unfinished: async () =>
      reorganizations
        .values()
        .filter(({ state }) => state === 'PENDING' || state === 'PROGRESS')
        .sort((a, b) => a.createdAt - b.createdAt)[0],
    save: async (run) => reorganizations.set(run.id, Object.freeze({ ...run })),
    places: async (runId) =>
      [...(plannedPlaces.get(runId) ?? [])].sort((a, b) => byCodePoint(a.id, b.id)),
    savePlace: async (runId, place) => {
      const others = (plannedPlaces.get(runId) ?? []).filter(({ id }) => id !== place.id);
      plannedPlaces.set(runId, [...others, Object.freeze({ ...place })]);
    },
    moves: async (runId, state, after, limit) =>
      plannedMoves
        .values()
        .filter((move) => move.runId === runId && move.state === state && move.ord > after)
        .sort((a, b) => a.ord - b.ord)
        .slice(0, limit)
        .map(({ runId: _, ...move }) => move),
    movesOf: async (runId, objectIds) =>
      objectIds
        .flatMap((objectId) => plannedMoves.get(key(runId, objectId)) ?? [])
        .sort((a, b) => a.ord - b.ord)
        .map(({ runId: _, ...move }) => move),
    page: async (request) => cut(reorganizations.values().sort(newestFirst), request),
    saveMove: async (runId, move) =>
      plannedMoves.set(key(runId, move.objectId), Object.freeze({ ...move, runId })),
    dropPlan: async (runId) => dropPlan(runId),
    pruneToNewest: async (count) => {
      for (const { id } of reorganizations.values().sort(newestFirst).slice(count)) {
        dropPlan(id);
        reorganizations.delete(id);
      }
    },
    forgetObject: async (objectId) => dropMoves((move) => move.objectId === objectId),
  };
}
