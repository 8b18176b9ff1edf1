/** One event of an event stream (HTML Living Standard, section 9.2.6). */
export interface StreamedEvent {
  readonly event: string;
  readonly data: string;
}

/** Of one event. A service that sends more is not the one that this app belongs to. */
const MAX_EVENT_LENGTH = 8_000_000;
/** A carriage return at the end may be the first half of a line break. */
const LINE_BREAK = /\r\n|\n|\r(?!$)/;

/** Reads events as they come. Comments and events without data are left out. */
export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamedEvent> {
  const reader = body.pipeThrough(new TextDecoderStream() as TextDecoding).getReader();
  let rest = '';
  let name = '';
  let data: string[] = [];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      // At the end of the stream a carriage return is a whole line break. A line without one is not complete.
      const lines = done ? rest.replace(/\r$/, '\n').split('\n') : (rest + value).split(LINE_BREAK);
      rest = lines.pop() ?? '';
      if (rest.length > MAX_EVENT_LENGTH) throw new Error('The event is too long.');
      for (const line of lines) {
        if (line === '') {
          if (data.length > 0) yield { event: name || 'message', data: data.join('\n') };
          name = '';
          data = [];
          continue;
        }
        const [, field = '', text = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
        if (field === 'event') name = text;
        if (field === 'data') data.push(text);
      }
      if (done) return;
    }
  } finally {
    // Also when the reading end stops early: the request ends with it.
    await reader.cancel().catch(() => undefined);
  }
}

type TextDecoding = ReadableWritablePair<string, Uint8Array>;
