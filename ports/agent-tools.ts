import type { EventStatus } from './calendar.ts';
import type { LocalTime } from './time-zones.ts';

/** A moment as the model writes it: a reading of a clock, of that offset from UTC or of the zone in question. */
export interface WrittenMoment {
  readonly local: LocalTime;
  /** Minutes east of UTC; null for none. */
  readonly offsetMinutes: number | null;
}

/** What each tool of the agent is called with. */
export interface ToolArguments {
  readonly search_objects: {
    readonly query: string;
    readonly limit: number;
    readonly docType?: string;
    readonly kind?: string;
  };
  readonly read_object: {
    readonly objectId: string;
    /** Code points of its text. */
    readonly offset: number;
  };
  readonly create_note: {
    readonly content: string;
    readonly title?: string;
    readonly collectionId?: string;
  };
  readonly get_agenda: {
    readonly from: WrittenMoment;
    readonly to: WrittenMoment;
    readonly limit: number;
  };
  readonly create_event: {
    readonly title: string;
    readonly startsAt: WrittenMoment;
    readonly endsAt: WrittenMoment;
    readonly tz?: string;
    readonly allDay?: boolean;
    readonly description?: string;
    readonly location?: string;
    readonly rrule?: string;
    readonly reminders?: readonly number[];
    readonly status?: EventStatus;
  };
  readonly move_object: {
    readonly objectId: string;
    /** null for no folder. */
    readonly collectionId: string | null;
  };
  readonly rename_object: { readonly objectId: string; readonly filename: string };
}

export type ToolName = keyof ToolArguments;

export const TOOL_NAMES = [
  'search_objects',
  'read_object',
  'create_note',
  'get_agenda',
  'create_event',
  'move_object',
  'rename_object',
] as const satisfies readonly ToolName[];

/** What came of looking at the arguments of a call. */
export type CheckedArguments<N extends ToolName> =
  | {
      readonly ok: true;
      readonly value: ToolArguments[N];
      /** The same as plain JSON, under the names the model knows: without unknown fields, in normal form. */
      readonly json: Readonly<Record<string, unknown>>;
    }
  /** Sentences that name the fields. */
  | { readonly ok: false; readonly faults: readonly string[] };

/**
 * What the interface to the outside knows of the tools' arguments: it holds a model to the rules that it holds every
 * other client to.
 *
 * Contract (contract-tests/suites/agent-tools.ts):
 * - Every tool has a schema of one object in words of JSON Schema alone, and says of each field what it is for.
 * - Arguments that fit are given as the core takes them, and as plain JSON under the names of the schema.
 * - Arguments that are no JSON object, or do not fit, are refused with sentences that name the field.
 * - Unknown fields are left out, and null in an optional field counts as not sent.
 */
export interface AgentTools {
  parameters(tool: ToolName): Readonly<Record<string, unknown>>;
  /** `written` is what the model wrote; whatever it is, this does not throw. */
  check<N extends ToolName>(tool: N, written: string): CheckedArguments<N>;
}
