import type { components } from '../../api/schema.js';

/** What a step changed, with the state before it. */
export type StepChange =
  | { readonly kind: 'name'; readonly before: string; readonly after: string }
  | {
      readonly kind: 'folder';
      readonly name: string;
      /** Names of folders; null for none. */
      readonly before: string | null;
      readonly after: string | null;
    }
  | { readonly kind: 'note'; readonly name: string; readonly folder: string | null }
  | {
      readonly kind: 'event';
      readonly name: string;
      readonly starts_at: string;
      readonly ends_at: string;
      readonly all_day: boolean;
    };

/** The words of a document for which a step was refused. */
export interface StepCause {
  readonly snippet: string;
  readonly object_id?: string;
  readonly filename?: string;
  readonly char_start?: number;
  readonly char_end?: number;
}

/** A call of a tool, as the service reports and stores it. */
export interface Step {
  readonly tool: string;
  readonly arguments: unknown;
  /** One line of the service, in English. */
  readonly summary: string;
  readonly confirmation?: 'asked' | 'allowed' | 'refused';
  /** While it can be undone. */
  readonly undo?: string;
  readonly undone?: boolean;
  /** While it can be redone: the id of its undo. */
  readonly redo?: string;
  readonly change?: StepChange;
  readonly because?: StepCause;
}

/**
 * `read` only looked at something, `did` changed something. `refused`: a document gave orders. `declined` by the owner.
 * `asked`: it waits for the owner. `failed`: it was tried and did not work.
 */
export type StepState = 'read' | 'did' | 'undone' | 'refused' | 'declined' | 'asked' | 'failed';

type StoredStep = NonNullable<components['schemas']['ChatMessage']['steps']>[number];

/** The schema of the service leaves the form of a step open. */
export const toStep = (stored: StoredStep): Step => ({ ...stored }) as unknown as Step;

const CHANGING: ReadonlySet<string> = new Set([
  'create_note',
  'create_event',
  'move_object',
  'rename_object',
]);

const ALLOWED = 'Allowed by the owner: ';

/** The line of the service without what the state of the step says already. */
export const outcomeOf = ({ summary }: Step): string =>
  summary.startsWith(ALLOWED) ? summary.slice(ALLOWED.length) : summary;

export function stateOf(step: Step): StepState {
  const outcome = outcomeOf(step);
  if (step.undone) return 'undone';
  if (step.confirmation === 'asked') return 'asked';
  if (step.confirmation === 'refused') return 'declined';
  if (step.because || outcome.startsWith(REFUSED_BY_DOCUMENT)) return 'refused';
  if (/^(Refused|Not done): /.test(outcome)) return 'failed';
  return CHANGING.has(step.tool) ? 'did' : 'read';
}

const REFUSED_BY_DOCUMENT = 'Refused: A document gave orders';

/** An argument of the call, as the model wrote it. */
export function argumentOf(step: Pick<Step, 'arguments'>, name: string): string | undefined {
  const given = step.arguments;
  if (typeof given !== 'object' || given === null) return undefined;
  const value: unknown = new Map<string, unknown>(Object.entries(given)).get(name);
  return typeof value === 'string' ? value : undefined;
}

export type ChangedStep = Step & { readonly change: StepChange };

/** The steps that changed something. */
export const changedSteps = (steps: readonly Step[]): readonly ChangedStep[] =>
  steps.filter((step): step is ChangedStep => step.change !== undefined);
