import { createParser } from 'eventsource-parser';
import type { ModelEvent } from '../../../ports/language-model.ts';
import type { CompletionParser } from './completion-parser.ts';
import { brokenOff, notAModel } from './failures.ts';

/** A field or a comment of a stream of events (HTML standard, §9.2.5), whole or begun. */
const EVENT_LINE =
  /^(?:data|event|id|retry)?:|^(?:d|da|dat|data|e|ev|eve|even|event|i|id|r|re|ret|retr|retry)$/;

/** Reads a response as it arrives: a stream of events, or one JSON document. The first characters decide. */
export class ResponseReader {
  readonly #answer: CompletionParser;
  /** The beginning, while it may be either. */
  #beginning: string | undefined = '';
  /** The pieces of a JSON document. */
  #document: string[] | undefined;
  #events: ModelEvent[] = [];
  #isOver = false;
  readonly #parser = createParser({
    onEvent: ({ event, data }) => this.#read(event, data),
  });

  constructor(answer: CompletionParser) {
    this.#answer = answer;
  }

  /** Returns whether the end has been received. */
  feed(text: string): boolean {
    if (this.#beginning !== undefined) {
      const beginning = (this.#beginning + text).trimStart();
      this.#beginning = this.#decided(beginning) ? undefined : beginning;
      return this.#beginning === undefined && this.#take(beginning);
    }
    return this.#take(text);
  }

  /** Reads the rest at the end of the input. */
  close(text: string): true {
    // The blank line after the last event may be missing.
    this.feed(this.#document ? text : `${text}\n\n`);
    if (!this.#document) return true;
    this.#events.push(...this.#answer.take(this.#document.join('')));
    this.#answer.done();
    return true;
  }

  /** The events since the last call. */
  taken(): readonly ModelEvent[] {
    const taken = this.#events;
    this.#events = [];
    return taken;
  }

  #decided(beginning: string): boolean {
    if (beginning === '') return false;
    if (beginning.startsWith('{') || beginning.startsWith('[')) {
      this.#document = [];
      return true;
    }
    const [line = ''] = beginning.split(/[\r\n]/, 1);
    if (!EVENT_LINE.test(line)) throw notAModel();
    return line.includes(':') || line.length < beginning.length;
  }

  #take(text: string): boolean {
    if (this.#document) this.#document.push(text);
    else this.#parser.feed(text);
    return this.#isOver;
  }

  /** Events without data are not dispatched, and data that is no JSON object keeps the connection alive. */
  #read(event: string | undefined, data: string): void {
    if (this.#isOver || data.trim() === '') return;
    if (event === 'error') throw brokenOff();
    for (const frame of framesOf(data)) {
      if (frame === '[DONE]') {
        this.#isOver = true;
        return this.#answer.done();
      }
      if (/^[{[]/.test(frame)) this.#events.push(...this.#answer.take(frame));
    }
  }
}

/** One JSON document, possibly over several lines; or one in every line if the blank lines between events are missing. */
function framesOf(data: string): readonly string[] {
  const lines = data.split('\n').map((line) => line.trim());
  const areFrames = lines.length > 1 && lines.every((line) => line === '' || isFrame(line));
  return areFrames ? lines : [data.trim()];
}

const isFrame = (line: string): boolean =>
  line === '[DONE]' || (line.startsWith('{') && line.endsWith('}') && isJson(line));

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
