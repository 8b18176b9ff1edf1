/** The state of the confirmation. */
export type Confirmation = 'asked' | 'allowed' | 'refused';

/** A use of a tool on the way to an answer. */
export interface Step {
  readonly tool: string;
  /** As they were checked; of a call that was refused as the model wrote them. */
  readonly arguments: unknown;
  /** One line for people: what came of it. */
  readonly summary: string;
  /** Present if the step needed a confirmation. */
  readonly confirmation?: Confirmation;
  /** What it dealt in. Kept and not shown: it tells which steps a closed zone conceals. */
  readonly objectIds: readonly string[];
}

type Kept = Readonly<Record<string, unknown>>;

export const keptStep = ({
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

/** A kept step as anybody sees it. */
export function shownStep({ object_ids: _dealtIn, ...step }: Kept): Kept {
  return step;
}

/** The ids of what a kept step dealt in; undefined where it does not tell, having come from elsewhere. */
export function objectsOf({ object_ids: ids }: Kept): readonly string[] | undefined {
  const isList = Array.isArray(ids) && ids.every((id): id is string => typeof id === 'string');
  return isList ? ids : undefined;
}

/** Ids of the objects that the steps of messages refer to. A step without them yields an id that no object has. */
export const objectsInSteps = (
  messages: readonly { readonly steps: readonly Kept[] | null }[],
): readonly string[] =>
  messages.flatMap(({ steps }) => (steps ?? []).flatMap((step) => objectsOf(step) ?? ['']));
/** Whether a reply ended with a question to the owner, so that the next one continues it. */
export const isSuspended = ({ steps }: { readonly steps: readonly Kept[] | null }): boolean =>
  steps?.at(-1)?.['confirmation'] === 'asked';
