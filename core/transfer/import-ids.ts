import type { SecretDigest } from '../../ports/secrets.ts';

interface Dated {
  readonly id: string;
  readonly createdAt: number;
}

export interface ResolvedId<Held> {
  /** The id under which the record is or will be stored. */
  readonly id: string;
  /** An equal record that exists already. */
  readonly held?: Held;
}

/**
 * Resolves the id of an imported record: its original id, unless that is used by another record; then ids derived
 * from the record, so that importing the same archive again finds the earlier copies.
 *
 * @param print digest of the record's identity, besides its id and time.
 */
export async function resolveImportId<Held>(
  digests: SecretDigest,
  record: Dated,
  print: string,
  find: (id: string) => Promise<Held | undefined>,
  same: (held: Held) => boolean | Promise<boolean>,
): Promise<ResolvedId<Held>> {
  let id = record.id;
  for (let n = 1; ; n++) {
    const held = await find(id);
    if (!held) return { id };
    if (await same(held)) return { id, held };
    id = derivedId(digests, record, `${n} ${print}`);
  }
}

/** A UUID version 7 (RFC 9562 §5.7) with the record's time and a digest as its random part. */
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
