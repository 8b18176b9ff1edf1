import type { EventStatus } from './calendar.ts';
import type { LocalTime } from './time-zones.ts';

/** A time as written by the model: a local time with the given UTC offset, or in the time zone that applies. */
export interface TimeArgument {
  readonly local: LocalTime;
  /** Minutes east of UTC; null for none. */
  readonly offsetMinutes: number | null;
}

/** The arguments of each agent tool. */
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
    readonly from: TimeArgument;
    readonly to: TimeArgument;
    readonly limit: number;
  };
  readonly create_event: {
    readonly title: string;
    readonly startsAt: TimeArgument;
    readonly endsAt: TimeArgument;
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

/** Result of validating the arguments of a call. */
export type ValidatedArguments<N extends ToolName> =
  | {
      readonly ok: true;
      readonly value: ToolArguments[N];
      /** The arguments as plain JSON under the names of the schema: without unknown fields, in normal form. */
      readonly json: Readonly<Record<string, unknown>>;
    }
  /** Sentences that name the invalid fields. */
  | { readonly ok: false; readonly errors: readonly string[] };

/**
 * Validates tool arguments. The model is held to the same rules as any API client.
 *
 * Contract (contract-tests/suites/agent-tools.ts):
 * - Every tool has a JSON Schema of one object, in which each field has a description.
 * - Valid arguments are returned as the core's types, and as plain JSON under the names of the schema.
 * - Arguments that are not a JSON object, or are invalid, are rejected with sentences that name the field.
 * - Unknown fields are dropped, and null in an optional field counts as absent.
 */
export interface AgentTools {
  parameters(tool: ToolName): Readonly<Record<string, unknown>>;
  /** `written` is the model's raw output. Never throws. */
  check<N extends ToolName>(tool: N, written: string): ValidatedArguments<N>;
}
