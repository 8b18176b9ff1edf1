import type { ModelHabit } from '../../../ports/language-model.ts';
import { at, stringOf } from './json-fields.ts';

/** What a service says of a request that it does not accept, in lower case. */
export interface Refusal {
  readonly status: number;
  /** The field of the request, '' if none is named. */
  readonly param: string;
  /** Code, type and message, or the body if it has none of them. */
  readonly text: string;
}

const MAX_TEXT = 4_000;

/** Reads the body of a refusal: the error object of OpenAI, that of FastAPI, or any text. */
export function refusalIn(status: number, body: string): Refusal {
  const sent = parsed(body);
  const list = Array.isArray(sent) ? (sent as unknown[])[0] : sent;
  const error = at(list, 'error') ?? list;
  const details = at(list, 'detail');
  const detail: unknown = Array.isArray(details) ? (details as unknown[])[0] : details;
  const loc = at(detail, 'loc');
  const path = Array.isArray(loc) ? loc.filter((step) => step !== 'body').join('.') : '';
  const parts = [
    ...['code', 'type', 'status', 'message'].map((field) => stringOf(at(error, field))),
    stringOf(error),
    stringOf(at(list, 'message')),
    stringOf(detail) || stringOf(at(detail, 'msg')),
  ].filter((part) => part !== '');
  return {
    status,
    param: (stringOf(at(error, 'param')) || path).toLowerCase(),
    text: (parts.length > 0 ? parts.join('\n') : body).slice(0, MAX_TEXT).toLowerCase(),
  };
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

const CONTEXT =
  /context[_ -](?:length|window|size)|maximum context|max(?:imum)?[_ ]model[_ ]len|prompt is too long|input (?:is )?too long|too many (?:input )?tokens|reduce the length|exceeds? (?:the )?(?:available |maximum |model'?s? )*(?:context|number of tokens|token limit)|string_above_max_length/;

/** Whether the request is longer than the model's context window. */
export const isTooLong = ({ text }: Refusal): boolean => CONTEXT.test(text);

interface Sign {
  readonly habit: ModelHabit;
  readonly param: RegExp;
  readonly text: RegExp;
}

const NOT =
  '(?:not? |un|n.t |cannot |disabled|invalid|only|must|requires?|unknown|extra|forbid|unexpected|unrecognized)';
/** A word and a refusal near each other, in any order. */
const refused = (word: string) =>
  new RegExp(`(?:${word})[^.\\n]{0,120}${NOT}|${NOT}[^.\\n]{0,120}(?:${word})`);

/** By which a refusal shows what a service does not accept, the most specific ones first. */
const SIGNS: readonly Sign[] = [
  {
    habit: 'no_usage',
    param: /^stream_options|include_usage/,
    text: refused('stream_options|stream options|include_usage'),
  },
  {
    habit: 'no_state',
    param: /reasoning_content|reasoning_details|extra_content/,
    text: refused('reasoning_content|reasoning_details|extra_content'),
  },
  { habit: 'no_temperature', param: /^temperature/, text: refused('temperature') },
  {
    habit: 'no_json_mode',
    param: /^response_format/,
    text: refused('response_format|json_object|json[ _]mode|json_schema|structured output'),
  },
  {
    habit: 'no_tools',
    param: /^tools|^tool_choice|^functions/,
    text: refused(
      '\\btools?\\b|tool[ _-](?:use|choice|calls?|calling)|functions?\\b|function[ _]call',
    ),
  },
  {
    habit: 'no_system_role',
    param: /^messages\W*0?\W*\.?(?:role)|system/,
    text: refused(
      'system[ _](?:role|message|prompt|instruction)s?|role\\W*system|developer (?:role|message|instruction)|system\\b|roles?\\b',
    ),
  },
  { habit: 'no_streaming', param: /^stream$/, text: refused('\\bstream(?:ing|ed)?\\b') },
];

/**
 * What a service refuses of what was sent; undefined if that cannot be seen.
 *
 * @param sent the habits whose opposite the request used
 */
export function habitBehind(
  { status, param, text }: Refusal,
  sent: readonly ModelHabit[],
): ModelHabit | undefined {
  const signs = SIGNS.filter(({ habit }) => sent.includes(habit));
  const named = param === '' ? undefined : signs.find((sign) => sign.param.test(param));
  const seen = named ?? signs.find((sign) => sign.text.test(text));
  if (seen) return seen.habit;
  if (status === 501 && sent.includes('no_streaming')) return 'no_streaming';
  // Without an explanation the least common field goes first.
  const isUnclear = status === 400 || status === 422;
  return isUnclear && sent.includes('no_usage') ? 'no_usage' : undefined;
}
