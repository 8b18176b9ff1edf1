import type { Toolset } from '../../ports/agent-roles.ts';
import type { ToolArguments, ToolName } from '../../ports/agent-tools.ts';
import type { ChatAttachment } from '../../ports/conversations.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import type { agenda, createEvent } from '../calendar/index.ts';
import type {
  addNote,
  editObject,
  getObject,
  moveObject,
  searchObjects,
} from '../objects/index.ts';
import type { StepChange } from '../conversations/index.ts';
import type { Zone } from '../hidden-zone/index.ts';
import type { RequiredScope } from '../identity/index.ts';
import type { DepsOf } from '../shared/bind.ts';
import type { Caller } from '../shared/caller.ts';
import type { Action } from './action-words.ts';
import type { Claim } from './grounding.ts';
import type { ShownPassages } from './shown-passages.ts';

/** The operations available as tools. */
interface Operations {
  readonly addNote: typeof addNote;
  readonly agenda: typeof agenda;
  readonly createEvent: typeof createEvent;
  readonly editObject: typeof editObject;
  readonly getObject: typeof getObject;
  readonly moveObject: typeof moveObject;
  readonly searchObjects: typeof searchObjects;
}

export type ToolDeps = Omit<DepsOf<Pick<Operations, keyof Operations>>, 'uow'> & {
  readonly uow: UnitOfWork;
};

/** The context of a run. */
export interface AgentContext {
  /** Without the idempotency record, which is for the response and not for the effects of tools. */
  readonly caller: Caller;
  /** The session's folder: nothing outside it is read or changed. */
  readonly collectionId: string | null;
  /** The state at the start of the run. Every operation reads again. */
  readonly zone: Zone;
  readonly timezone: string;
  readonly offering: ShownPassages;
}

/** The result of running a tool. */
export interface Outcome {
  /** Result text for the model. */
  readonly result: string;
  /** One line for people. */
  readonly summary: string;
  /** The objects it read, created or changed. */
  readonly touched?: readonly ChatAttachment[];
  /** What it changed, for people. */
  readonly change?: StepChange;
  /** Ids of other objects that the result mentions. */
  readonly found?: readonly string[];
  /** Text in the result that the owner may not have written. It taints the run. */
  readonly documentText?: readonly string[];
}

/** A result with text, names or titles of documents, or calendar entries, which may be imported. */
type UntrustedOutcome = Outcome & { readonly documentText: readonly string[] };
/** A result with only the service's own words and the arguments of the call. */
type TrustedOutcome = Outcome & { readonly documentText?: undefined };

interface Declared {
  readonly toolset: Toolset;
  /** What the caller needs for it: the same as for the operation of the API. */
  readonly scope: RequiredScope;
  /** The tool description for the model. */
  readonly description: string;
}

type Run<N extends ToolName, O extends Outcome> = (
  deps: ToolDeps,
  work: AgentContext,
  given: ToolArguments[N],
) => Promise<O>;

/** Whether the result is untrusted text. A tool that does not declare this does not compile. */
type Result<N extends ToolName> =
  | { readonly result: 'untrusted'; readonly run: Run<N, UntrustedOutcome> }
  | { readonly result: 'trusted'; readonly run: Run<N, TrustedOutcome> };

/** Whether the tool changes data. If so, it declares how the owner's message must name each argument. */
type Effect<N extends ToolName> =
  | { readonly effect: 'read' }
  | {
      readonly effect: 'change';
      readonly action: Action;
      /** Ends as the operation does if the operation would reject the call. */
      readonly claims: (
        deps: ToolDeps,
        work: AgentContext,
        given: ToolArguments[N],
      ) => Promise<{ readonly [K in keyof Required<ToolArguments[N]>]: Claim }>;
    };

export type Tool<N extends ToolName> = Declared & Result<N> & Effect<N>;

/** Limit of a result, in UTF-16 units. */
export const MAX_RESULT_LENGTH = 6_000;
/** Limit of a summary. */
const MAX_LINE_LENGTH = 200;

/** Collapses text to one line and truncates it. */
export function line(text: string): string {
  const bare = text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
  const points = [...bare];
  return points.length <= MAX_LINE_LENGTH
    ? bare
    : `${points.slice(0, MAX_LINE_LENGTH - 1).join('')}…`;
}

/** The entries that fit, at least the first, and their number. */
export function listing(entries: readonly string[]): { text: string; shown: number } {
  let [shown, capacity] = [0, MAX_RESULT_LENGTH];
  for (const entry of entries) {
    capacity -= entry.length + 2;
    if (capacity < 0 && shown > 0) break;
    shown++;
  }
  return { text: entries.slice(0, shown).join('\n\n'), shown };
}
