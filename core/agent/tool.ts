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
import type { Zone } from '../hidden-zone/index.ts';
import type { DepsOf } from '../shared/bind.ts';
import type { Caller } from '../shared/caller.ts';
import type { Action } from './action-words.ts';
import type { Claim } from './grounding.ts';
import type { Offering } from './offering.ts';

/** The operations that tools stand for. */
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

/** What a run works on. */
export interface Work {
  /** Without the receipt: that is for the answer and not for what a tool makes. */
  readonly caller: Caller;
  /** The folder that the session is about: nothing outside of it is looked at or changed. */
  readonly collectionId: string | null;
  /** As it stood when the run began; every operation looks again. */
  readonly zone: Zone;
  readonly timezone: string;
  readonly offering: Offering;
}

/** The result of running a tool. */
export interface Outcome {
  /** What the model is told. */
  readonly result: string;
  /** One line for people. */
  readonly summary: string;
  /** The objects it read, made or changed. */
  readonly touched?: readonly ChatAttachment[];
  /** The ids of others that it tells of. */
  readonly found?: readonly string[];
  /** The text in the result that the owner need not have written: it taints the run. */
  readonly documentText?: readonly string[];
}

/** A result with text, names or titles of documents, or entries of the calendar, which may be imported. */
type UntrustedOutcome = Outcome & { readonly documentText: readonly string[] };
/** A result of words of the service and of the call itself. */
type TrustedOutcome = Outcome & { readonly documentText?: undefined };

interface Declared {
  readonly toolset: Toolset;
  /** For the model. */
  readonly description: string;
}

type Run<N extends ToolName, O extends Outcome> = (
  deps: ToolDeps,
  work: Work,
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
      /** Ends as the operation does where it would refuse the call. */
      readonly claims: (
        deps: ToolDeps,
        work: Work,
        given: ToolArguments[N],
      ) => Promise<{ readonly [K in keyof Required<ToolArguments[N]>]: Claim }>;
    };

export type Tool<N extends ToolName> = Declared & Result<N> & Effect<N>;

/** Of a result, in UTF-16 units. */
export const LONGEST_RESULT = 6_000;
/** Of a summary. */
const LONGEST_LINE = 200;

/** Something on one line that is not too long. */
export function line(text: string): string {
  const bare = text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
  const points = [...bare];
  return points.length <= LONGEST_LINE ? bare : `${points.slice(0, LONGEST_LINE - 1).join('')}…`;
}

/** As many of the entries as fit, the first one in any case, and how many those are. */
export function listing(entries: readonly string[]): { text: string; shown: number } {
  let [shown, room] = [0, LONGEST_RESULT];
  for (const entry of entries) {
    room -= entry.length + 2;
    if (room < 0 && shown > 0) break;
    shown++;
  }
  return { text: entries.slice(0, shown).join('\n\n'), shown };
}
