/**
 * Preloaded by drills and specs (`node --import`), never by the program itself: throws uncaught errors, as a defect
 * would. A request with the header `x-stray-error` throws one of that kind after its id was assigned; `SIGUSR2`
 * throws one that belongs to no request.
 */
import { EventEmitter } from 'node:events';
import { ServerResponse } from 'node:http';

const stray = (kind: string): Error => new Error(`a stray error (${kind})`);

const kinds: Readonly<Record<string, () => void>> = {
  timer: () => {
    setTimeout(() => {
      throw stray('timer');
    }, 1);
  },
  promise: () => void (async () => Promise.reject(stray('promise')))(),
  stream: () => {
    setImmediate(() => new EventEmitter().emit('error', stray('stream')));
  },
};

process.on('SIGUSR2', () => kinds['timer']?.());

// eslint-disable-next-line @typescript-eslint/unbound-method -- called with its response below
const { setHeader } = ServerResponse.prototype;
ServerResponse.prototype.setHeader = function (this: ServerResponse, name, value) {
  const kind = this.req.headers['x-stray-error'];
  if (name === 'x-request-id' && typeof kind === 'string') kinds[kind]?.();
  return setHeader.call(this, name, value) as ServerResponse;
} as typeof setHeader;
