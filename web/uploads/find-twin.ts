import { api } from '../api/client.ts';
import { reply } from '../api/errors.ts';

/** A document that has the same bytes as a file. */
export interface Twin {
  readonly id: string;
  readonly name: string;
}

/** The newest document with this content. Hidden ones are found for files that go into the open hidden zone only. */
export async function findTwin(
  contentHash: string,
  isHidden: boolean,
  signal: AbortSignal,
): Promise<Twin | undefined> {
  const query = { content_hash: contentHash, limit: 1, ...(isHidden && { include_hidden: true }) };
  const { items } = await reply(api.GET('/v1/objects', { params: { query }, signal }));
  const [twin] = items;
  return twin && { id: twin.id, name: twin.display_name };
}
