import { CorruptArchiveError } from '../../ports/archives.ts';

const LINE_FEED = 10;

/** Streams the lines of UTF-8 text. Only the current line is held in memory. */
export async function* linesOf(
  path: string,
  bytes: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncIterable<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let number = 1;
  let parts: Uint8Array[] = [];
  let length = 0;
  const place = () => `Line ${number} of ${JSON.stringify(path)}`;
  const keep = (part: Uint8Array) => {
    length += part.length;
    if (length > maxBytes) throw new CorruptArchiveError(`${place()} is too long.`);
    parts.push(part);
  };
  const line = (): string => {
    try {
      return decoder.decode(parts.length === 1 ? parts[0] : Buffer.concat(parts));
    } catch {
      throw new CorruptArchiveError(`${place()} is not valid UTF-8.`);
    } finally {
      parts = [];
      length = 0;
    }
  };
  for await (const chunk of bytes) {
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
      keep(chunk.subarray(from, end));
      yield line();
      number++;
      from = end + 1;
    }
    if (from < chunk.length) keep(chunk.subarray(from));
  }
  if (length > 0) yield line();
}
