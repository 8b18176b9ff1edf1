import type { Subject } from './subject.ts';

/** The state of the confirmation. */
export type Confirmation = 'asked' | 'allowed' | 'refused';

/** What a step changed, with the state before it, as it is stored and shown. */
export type StepChange =
  | { readonly kind: 'name'; readonly before: string; readonly after: string }
  | {
      readonly kind: 'folder';
      /** The file name of the object. */
      readonly name: string;
      /** Names of folders; null for none. */
      readonly before: string | null;
      readonly after: string | null;
    }
  | { readonly kind: 'note'; readonly name: string; readonly folder: string | null }
  | {
      readonly kind: 'event';
      readonly name: string;
      /** ISO 8601. */
      readonly starts_at: string;
      readonly ends_at: string;
      readonly all_day: boolean;
    };

/** The words of a document that made a step impossible, as they are stored and shown. */
export interface StepCause {
  readonly snippet: string;
  /** Absent if the words are a name or a calendar entry. Offsets count code points of the object's text. */
  readonly object_id?: string;
  readonly filename?: string;
  readonly char_start?: number;
  readonly char_end?: number;
}

/** A tool call on the way to an answer. */
export interface Step {
  readonly tool: string;
  /** The validated arguments; for a rejected call as the model wrote them. */
  readonly arguments: unknown;
  /** The result in one line, for people. */
  readonly summary: string;
  /** Present if the step needed a confirmation. */
  readonly confirmation?: Confirmation;
  /** What it is about. Present if the owner was asked. */
  readonly subject?: Subject;
  /** The id of its undo. Present if the step changed something. */
  readonly undo?: string;
  readonly change?: StepChange;
  /** Present if the step was rejected because a document gave instructions. */
  readonly because?: StepCause;
  /** The objects it used. Stored but not shown: it decides which steps a locked zone conceals. */
  readonly objectIds: readonly string[];
}

export type Kept = Readonly<Record<string, unknown>>;

export const toStoredStep = ({
  tool,
  arguments: given,
  summary,
  confirmation,
  subject,
  undo,
  change,
  because,
  objectIds,
}: Step): Kept => ({
  tool,
  arguments: given,
  summary,
  ...(confirmation && { confirmation }),
  ...subject,
  ...(undo !== undefined && { undo }),
  ...(change && { change }),
  ...(because && { because }),
  object_ids: objectIds,
});

/** The visible form of a stored step. */
export function toVisibleStep({ object_ids: _dealtIn, ...step }: Kept): Kept {
  return step;
}

/** The object ids of a stored step; undefined if it has none, because it was imported. */
export function objectsOf({ object_ids: ids }: Kept): readonly string[] | undefined {
  const isList = Array.isArray(ids) && ids.every((id): id is string => typeof id === 'string');
  return isList ? ids : undefined;
}

/** Ids of the objects that the steps of messages refer to. A step without them yields an id that no object has. */
export const objectsInSteps = (
  messages: readonly { readonly steps: readonly Kept[] | null }[],
): readonly string[] =>
  messages.flatMap(({ steps }) => (steps ?? []).flatMap((step) => objectsOf(step) ?? ['']));
/** Whether a reply ended with a confirmation request, so that the next reply continues it. */
export const isSuspended = ({ steps }: { readonly steps: readonly Kept[] | null }): boolean =>
  steps?.at(-1)?.['confirmation'] === 'asked';
