import { eventsOf, type StreamedEvent } from '../../api/event-stream.ts';
import { requestOf, withoutZone } from '../../api/request.ts';
import type { components } from '../../api/schema.js';
import { noteChange } from '../../data/live.ts';
import type { NamedDocument } from '../../state/ask-about.ts';
import { whileUnlocked } from '../../state/zone-token.ts';
import { brokenOff, errorOf, eventRequest, untilAdmitted } from '../conversation/streaming.ts';
import {
  answerOf,
  type Citation,
  type EngineChoice,
  type Exchange,
} from '../conversation/exchange.ts';

export interface Question {
  readonly chatId: string;
  readonly text: string;
  /** The folder of the conversation. */
  readonly folderId: string | null;
  readonly about: readonly NamedDocument[];
  readonly engine: EngineChoice;
  /** Whether hidden documents may be in the answer. */
  readonly isInZone: boolean;
}

/** A change of an exchange. */
export type Report = (change: (exchange: Exchange) => Exchange) => void;

type Answer = components['schemas']['Answer'];
type Turn = components['schemas']['Turn'];

/** More documents than a message can name are sent without being recorded with it. */
const MAX_ATTACHMENTS = 50;

/** Asks a question of a conversation and reports the answer as it comes. Throws what went wrong. */
export async function streamAnswer(
  question: Question,
  report: Report,
  signal: AbortSignal,
): Promise<void> {
  const response = await untilAdmitted(
    () => requestIn(question, signal),
    (isWaiting) => {
      report((exchange) => ({ ...exchange, phase: isWaiting ? 'waiting' : 'searching' }));
    },
    signal,
  );
  let isComplete = false;
  for await (const streamed of eventsOf(response.body ?? new ReadableStream())) {
    if (streamed.event === 'done') isComplete = true;
    apply(streamed, report, response);
  }
  signal.throwIfAborted();
  if (!isComplete) throw brokenOff(response);
}

/** A conversation that is not found without the zone is about something hidden already. */
async function requestIn(question: Question, signal: AbortSignal): Promise<Response> {
  if (question.isInZone) return requestOf(requestFor(question, signal));
  const response = await withoutZone(requestFor(question, signal));
  if (response.status !== 404 || !whileUnlocked()) return response;
  return requestOf(requestFor(question, signal));
}

function requestFor(
  { chatId, text, folderId, about, engine }: Question,
  signal: AbortSignal,
): Request {
  const ids = about.map(({ id }) => id);
  const isRecorded = ids.length > 0 && ids.length <= MAX_ATTACHMENTS;
  const path = isRecorded ? `/v1/chats/${chatId}/turns` : '/v1/ask';
  const body = isRecorded
    ? { content: text, attachments: ids, engine }
    : {
        question: text,
        session_id: chatId,
        engine,
        ...(folderId !== null && { collection_id: folderId }),
        ...(ids.length > 0 && { object_ids: ids }),
      };
  return eventRequest(path, body, signal);
}

function apply({ event, data }: StreamedEvent, report: Report, response: Response): void {
  const content: unknown = JSON.parse(data);
  // By then the conversation is named after its first question.
  if (event === 'session') noteChange('chats');
  else if (event === 'delta') {
    const { text } = content as { text: string };
    report((exchange) => ({ ...exchange, phase: 'writing', text: exchange.text + text }));
  } else if (event === 'citation') {
    const citation = content as Citation;
    report((exchange) => ({ ...exchange, citations: [...exchange.citations, citation] }));
  } else if (event === 'done') {
    const done = content as Answer | Turn;
    report((exchange) => ({ ...exchange, ...('assistant' in done ? turnOf(done) : read(done)) }));
  } else if (event === 'error') {
    throw errorOf(content, response);
  }
}

const turnOf = ({ assistant }: Turn): Partial<Exchange> => answerOf(assistant);

const read = ({
  answer,
  citations,
  coverage,
  engine,
  incomplete,
  reason,
}: Answer): Partial<Exchange> => ({
  cutOff: reason,
  phase: incomplete ? 'stopped' : 'complete',
  text: answer,
  citations,
  coverage,
  engine,
});
