/** Does the work, and the chore again and again until the work has ended. A chore that fails is told of and goes on. */
export async function meanwhile<T>(
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
