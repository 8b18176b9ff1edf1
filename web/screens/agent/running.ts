import { eventsOf, type StreamedEvent } from '../../api/event-stream.ts';
import { withoutZone } from '../../api/request.ts';
import type { components } from '../../api/schema.js';
import { noteChange } from '../../data/live.ts';
import { brokenOff, errorOf, eventRequest, untilAdmitted } from '../conversation/streaming.ts';
import type { Citation } from '../conversation/exchange.ts';
import { CONFIRM_MS, partOf, toConfirm, type Part, type StoredConfirm } from './errand.ts';
import type { Step } from './step.ts';

/** A change of a reply. */
export type Report = (change: (part: Part) => Part) => void;

type Message = components['schemas']['ChatMessage'];

const LAST_EVENTS: ReadonlySet<string> = new Set(['done', 'confirm']);

/**
 * Sends a message, or a decision, and reports the reply as it comes. `named` gets the id of the conversation. Throws what
 * went wrong. The agent never sees what is hidden, also while the hidden zone is open.
 */
export async function streamReply(
  path: '/v1/agent/chat' | '/v1/agent/confirm',
  body: object,
  report: Report,
  named: (chatId: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const response = await untilAdmitted(
    () => withoutZone(eventRequest(path, body, signal)),
    (isWaiting) => report((part) => ({ ...part, phase: isWaiting ? 'waiting' : 'working' })),
    signal,
  );
  let isComplete = false;
  for await (const streamed of eventsOf(response.body ?? new ReadableStream())) {
    isComplete ||= LAST_EVENTS.has(streamed.event);
    apply(streamed, report, named, response);
  }
  signal.throwIfAborted();
  if (!isComplete) throw brokenOff(response);
}

function apply(
  { event, data }: StreamedEvent,
  report: Report,
  named: (chatId: string) => void,
  response: Response,
): void {
  const content: unknown = JSON.parse(data);
  switch (event) {
    case 'session':
      return named((content as { session_id: string }).session_id);
    case 'step': {
      const step = content as Step;
      report((part) => ({ ...part, steps: [...part.steps, step] }));
      if (step.undo !== undefined) noteChange('objects', 'folders', 'calendar');
      return;
    }
    case 'delta': {
      const { text } = content as { text: string };
      return report((part) => ({ ...part, text: part.text + text }));
    }
    case 'citation': {
      const citation = content as Citation;
      return report((part) => ({ ...part, citations: [...part.citations, citation] }));
    }
    case 'done':
      return report(() => partOf(content as Message));
    case 'confirm': {
      const endsAt = Date.now() + CONFIRM_MS;
      const confirm = { ...toConfirm(content as StoredConfirm, 0), endsAt };
      return report((part) => ({ ...part, phase: 'asking', confirm }));
    }
    case 'error':
      throw errorOf(content, response);
  }
}
