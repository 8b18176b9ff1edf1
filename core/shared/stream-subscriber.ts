/** The subscriber of an answer in progress. */
export interface StreamSubscriber<News> {
  /** Settles when the chunk was accepted, so that a faster producer waits (backpressure). */
  send(news: News): Promise<void>;
  /** Resolves once the client has disconnected; never, if there is no connection. */
  readonly disconnected: Promise<void>;
}

/** No subscriber: accepts everything and never disconnects. */
export const noSubscriber: StreamSubscriber<unknown> = {
  send: () => Promise.resolve(),
  // A new promise each time: its callbacks are released with the answer.
  get disconnected(): Promise<void> {
    return new Promise(() => undefined);
  },
};

/** The work was cancelled because its client has disconnected. There is no response. */
export class ClientDisconnectedError extends Error {
  override readonly name = 'ClientDisconnectedError';
}
