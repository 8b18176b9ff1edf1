/** Whoever waits for an answer while it is made. */
export interface Audience<News> {
  /** Settles when it was taken in, so that whoever tells faster waits. */
  tell(news: News): Promise<void>;
  /** Settles once nobody waits any more; never, where somebody always does. */
  readonly left: Promise<void>;
}

/** Nobody listens, and nobody leaves. */
export const alone: Audience<unknown> = {
  tell: () => Promise.resolve(),
  // A new one each time: what waits for it goes when the answer does.
  get left(): Promise<void> {
    return new Promise(() => undefined);
  },
};

/** What was under way ends here, for nobody waits for it any more. There is nobody to be told either. */
export class AudienceLeft extends Error {
  override readonly name = 'AudienceLeft';
}
