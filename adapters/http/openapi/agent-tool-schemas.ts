import type {
  AgentTools,
  ValidatedArguments,
  ToolArguments,
  ToolName,
} from '../../../ports/agent-tools.ts';
import { DOC_TYPES } from '../../../ports/objects.ts';
import { OBJECT_KINDS } from '../../../ports/text-extraction.ts';
import { plain } from './openapi-parts.ts';
import {
  agendaFields,
  eventFields,
  momentOf,
  newEventOf,
} from '../routes/assistant/calendar-schemas.ts';
import { noteFields } from '../routes/library/contents.ts';
import { moved, renamed } from '../routes/library/objects.ts';
import { searched } from '../routes/library/search.ts';
import { objectPath } from '../routes/shapes.ts';
import { int, object, oneOf, optional, withDefault, type Schema } from '../schema.ts';
import type { Detail } from '../validation/compile-request.ts';
import { jsonValidator } from '../validation/json/json-validator.ts';
import { coerceBody } from '../validation/coerce.ts';

/** Schemas of the arguments of a call: subsets of the request's fields. */
const MAX_ARGUMENT_BYTES = 2 ** 20;
const MAX_ERRORS = 20;

/** The tools as they are described to a model. Their arguments obey the rules of the operations behind them. */
export const toolSchemas = (): AgentTools => ({
  parameters: (tool) => TOOLS[tool].parameters,
  check: (tool, written) => TOOLS[tool].check(written),
});

/** A field, described for a model. Everything else is as in the operation. */
const describe = <S extends Schema<unknown>>(field: S, description: string): S => ({
  ...field,
  description,
});

interface Tool<N extends ToolName> {
  readonly parameters: Readonly<Record<string, unknown>>;
  check(written: string): ValidatedArguments<N>;
}

function tool<N extends ToolName, T>(
  schema: Schema<T>,
  argumentsOf: (sent: T) => ToolArguments[N],
): Tool<N> {
  const read = jsonValidator(schema, MAX_ERRORS);
  const shape = coerceBody(schema);
  return {
    parameters: { ...plain(schema, new Map()), additionalProperties: false },
    check: (written) => {
      const bytes = Buffer.from(written);
      if (bytes.length > MAX_ARGUMENT_BYTES)
        return { ok: false, errors: ['The arguments are too long.'] };
      const found: Detail[] = [];
      const values = read({ bytes, contentType: 'application/json' }, found);
      if (found.length > 0) return { ok: false, errors: found.map(sentenceOf) };
      const json = shape(JSON.parse(written)) as Readonly<Record<string, unknown>>;
      return { ok: true, value: argumentsOf(values as T), json };
    },
  };
}

function sentenceOf({ loc, msg }: Detail): string {
  const field = loc.slice(1).join('.');
  return field === '' || typeof loc[1] === 'number' ? msg : `${field}: ${msg}`;
}

const objectId = describe(
  objectPath.properties.object_id,
  'The id of the object, as a search or the owner has given it.',
);
const collectionId = (what: string) => `The id of the folder ${what}. Never a name.`;

const TOOLS: { readonly [N in ToolName]: Tool<N> } = {
  search_objects: tool(
    object({
      query: describe(
        searched.q,
        'Telling words of what is looked for. "phrase", -not and prefix* are understood.',
      ),
      limit: withDefault(describe(searched.limit, 'How many objects at most.'), 8),
      doc_type: describe(optional(oneOf(...DOC_TYPES)), 'Only objects of this type.'),
      kind: describe(optional(oneOf(...OBJECT_KINDS)), 'Only objects of this kind of file.'),
    }),
    ({ query, limit, doc_type, kind }) => ({
      query,
      limit,
      ...(doc_type !== undefined && { docType: doc_type }),
      ...(kind !== undefined && { kind }),
    }),
  ),
  read_object: tool(
    object({
      object_id: objectId,
      offset: withDefault(
        int({ minimum: 0, description: 'The character of its text to read from.' }),
        0,
      ),
    }),
    ({ object_id, offset }) => ({ objectId: object_id, offset }),
  ),
  create_note: tool(
    object({
      content: describe(noteFields.content, 'The note, in markdown.'),
      title: describe(noteFields.title, 'Its title, from which its file name is made.'),
      collection_id: describe(noteFields.collection_id, collectionId('to put it into')),
    }),
    ({ content, title, collection_id }) => ({
      content,
      ...(title !== undefined && { title }),
      ...(collection_id !== undefined && { collectionId: collection_id }),
    }),
  ),
  get_agenda: tool(
    object({
      from: describe(agendaFields.from, `Where the window begins. ${readsTime()}`),
      to: describe(agendaFields.to, 'Where it ends, at most 400 days later; not in it any more.'),
      limit: describe(agendaFields.limit, 'How many occurrences at most.'),
    }),
    ({ from, to, limit }) => ({ from: momentOf(from), to: momentOf(to), limit }),
  ),
  create_event: tool(
    object({
      ...eventFields,
      title: describe(eventFields.title, 'What the event is called.'),
      starts_at: describe(eventFields.starts_at, `When it begins. ${readsTime()}`),
      ends_at: describe(
        eventFields.ends_at,
        'When it ends; of all-day events the midnight after it.',
      ),
      tz: describe(eventFields.tz, 'IANA name of the time zone, if it is not that of the owner.'),
      all_day: describe(eventFields.all_day, 'Whether it lasts whole days.'),
      description: describe(eventFields.description, 'What else is to be known of it.'),
      location: describe(eventFields.location, 'Where it takes place.'),
      reminders: describe(eventFields.reminders, 'Minutes before the start to remind of it.'),
      status: describe(eventFields.status, 'How certain it is.'),
      rrule: describe(
        eventFields.rrule,
        'How it repeats: an RFC 5545 RRULE without `RRULE:`, such as FREQ=WEEKLY;BYDAY=MO.',
      ),
    }),
    newEventOf,
  ),
  move_object: tool(
    object({
      object_id: objectId,
      collection_id: describe(
        moved.collection_id,
        `${collectionId('to move it to')} null for none.`,
      ),
    }),
    ({ object_id, collection_id }) => ({ objectId: object_id, collectionId: collection_id }),
  ),
  rename_object: tool(
    object({
      object_id: objectId,
      filename: describe(renamed.filename, 'The new file name, with its extension.'),
    }),
    ({ object_id, filename }) => ({ objectId: object_id, filename }),
  ),
};

function readsTime(): string {
  return 'ISO 8601; without an offset it is read in the time zone of the owner.';
}
