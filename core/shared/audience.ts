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
  left: new Promise(() => undefined),
};

/** What was under way ends here, for nobody waits for it any more. There is nobody to be told either. */
export class AudienceLeft extends Error {
  override readonly name = 'AudienceLeft';
}
