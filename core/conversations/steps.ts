/** The state of the confirmation. */
export type Confirmation = 'asked' | 'allowed' | 'refused';

/** A tool call on the way to an answer. */
export interface Step {
  readonly tool: string;
  /** The validated arguments; for a rejected call as the model wrote them. */
  readonly arguments: unknown;
  /** The result in one line, for people. */
  readonly summary: string;
  /** Present if the step needed a confirmation. */
  readonly confirmation?: Confirmation;
  /** The objects it used. Stored but not shown: it decides which steps a locked zone conceals. */
  readonly objectIds: readonly string[];
}

type Kept = Readonly<Record<string, unknown>>;

export const toStoredStep = ({
  tool,
  arguments: given,
  summary,
  confirmation,
  objectIds,
}: Step): Kept => ({
  tool,
  arguments: given,
  summary,
  ...(confirmation && { confirmation }),
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
