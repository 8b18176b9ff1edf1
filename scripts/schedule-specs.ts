/** Minimum batch size in seconds: a smaller one would cost more than its process start. */
const LEAST = 10;

/**
 * Divides the files into batches for a number of lanes: the longest first, and each batch at most half of a lane's
 * share of the rest, so that all lanes end at about the same time. Files of the app, those that only start services, and the
 * others are not combined: those of one batch share a service and a browser.
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
      const fits = groupOf(file) === groupOf(first) && sum(batch) + secondsOf(file) <= most;
      if (fits) batch.push(...left.splice(at, 1));
      else at++;
    }
    created.push(batch);
  }
  return created;
}

const groupOf = (file: string): string | undefined =>
  ['contract-tests/app/', 'contract-tests/http/'].find((folder) => file.startsWith(folder));
