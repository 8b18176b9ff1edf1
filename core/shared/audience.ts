/** The subscriber of an answer in progress. */
export interface Audience<News> {
  /** Settles when the chunk was accepted, so that a faster producer waits (backpressure). */
  tell(news: News): Promise<void>;
  /** Resolves once the client has disconnected; never, if there is no connection. */
  readonly left: Promise<void>;
}

/** No subscriber: accepts everything and never disconnects. */
export const alone: Audience<unknown> = {
  tell: () => Promise.resolve(),
  // A new promise each time: its callbacks are released with the answer.
  get left(): Promise<void> {
    return new Promise(() => undefined);
  },
};

/** The work was cancelled because its client has disconnected. There is no response. */
export class AudienceLeft extends Error {
  override readonly name = 'AudienceLeft';
}
