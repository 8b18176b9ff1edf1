import type { SecretDigest } from '../../ports/secrets.ts';

interface Dated {
  readonly id: string;
  readonly createdAt: number;
}

export interface Found<Held> {
  /** The id under which the record is or will be kept. */
  readonly id: string;
  /** What is there already. */
  readonly held?: Held;
}

/**
 * Where a record of an archive belongs: under its own id, unless something else has it; then under ids that follow from
 * the record alone, so that the same archive finds its own copies again when it comes a second time.
 *
 * @param print what makes the record itself, beside its id and time.
 */
export async function placeOf<Held>(
  digests: SecretDigest,
  record: Dated,
  print: string,
  find: (id: string) => Promise<Held | undefined>,
  same: (held: Held) => boolean | Promise<boolean>,
): Promise<Found<Held>> {
  let id = record.id;
  for (let n = 1; ; n++) {
    const held = await find(id);
    if (!held) return { id };
    if (await same(held)) return { id, held };
    id = derivedId(digests, record, `${n} ${print}`);
  }
}

/** A UUID of version 7 (RFC 9562 §5.7) with the record's own time, its random part a digest. */
function derivedId(digests: SecretDigest, { id, createdAt }: Dated, print: string): string {
  const time = Math.max(0, createdAt).toString(16).padStart(12, '0').slice(-12);
  const rest = digests.digest(`${id} ${createdAt} ${print}`);
  return [
    time.slice(0, 8),
    time.slice(8),
    `7${rest.slice(0, 3)}`,
    `8${rest.slice(3, 6)}`,
    rest.slice(6, 18),
  ].join('-');
}
