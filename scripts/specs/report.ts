import type { Unstable, Verdict } from './run-specs.ts';

const line = ({ file, title, message }: Unstable): string =>
  `  ${file}: ${title}: ${message.split('\n', 1)[0]}`;

/** The end of the output: failing and unstable files, then the counts on a line that scripts parse. */
export function* closingLines({
  failing,
  unstable,
  passed,
  failed,
  skipped,
}: Verdict): Generator<string> {
  yield '';
  if (failing.length > 0) yield* [`failing: ${failing.length}`, ...failing.map(line)];
  if (unstable.length > 0) yield* [`unstable: ${unstable.length}`, ...unstable.map(line)];
  yield `${passed} passed, ${failed} failed, ${skipped} skipped`;
}
