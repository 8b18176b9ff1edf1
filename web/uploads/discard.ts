/** Deletes what the service has of an unfinished upload. */
export async function discard(url: string): Promise<void> {
  const { terminate } = await import('./send.ts');
  // Unreachable now: it expires at the service by itself.
  await terminate(url).catch(() => undefined);
}
