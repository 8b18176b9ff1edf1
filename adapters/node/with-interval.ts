/** Runs the work, and the periodic job until the work has ended. A failing job is reported and repeated. */
export async function withInterval<T>(
  everyMs: number,
  chore: () => Promise<void>,
  onFailure: (error: unknown) => void,
  work: () => Promise<T>,
): Promise<T> {
  const timer = setInterval(() => void chore().catch(onFailure), everyMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
