/** Minimum batch size in seconds: a smaller one would cost more than its process start. */
const LEAST = 10;

/**
 * Divides the files into batches for a number of lanes: the longest first, and each batch at most half of a lane's
 * share of the rest, so that all lanes end at about the same time. Files that start a server process are not combined
 * with others.
 */
export function scheduleBatches(
  files: readonly string[],
  secondsOf: (file: string) => number,
  lanes: number,
): string[][] {
  const left = files.toSorted((a, b) => secondsOf(b) - secondsOf(a));
  const sum = (some: readonly string[]) => some.reduce((all, file) => all + secondsOf(file), 0);
  const created: string[][] = [];
  for (let first = left.shift(); first !== undefined; first = left.shift()) {
    const batch = [first];
    const most = Math.max(LEAST, (secondsOf(first) + sum(left)) / (2 * lanes));
    for (let at = 0; at < left.length;) {
      const file = left[at]!;
      const fits = isServed(file) === isServed(first) && sum(batch) + secondsOf(file) <= most;
      if (fits) batch.push(...left.splice(at, 1));
      else at++;
    }
    created.push(batch);
  }
  return created;
}

const isServed = (file: string): boolean => file.startsWith('contract-tests/http/');
