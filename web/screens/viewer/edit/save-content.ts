import { api } from '../../../api/client.ts';
import { reply } from '../../../api/errors.ts';
import { readContent } from '../content.ts';
import type { DocumentDetail } from '../kinds.ts';
import { readText } from '../document.ts';

export interface EditedText {
  readonly text: string;
  readonly version: number;
}

/** The text of a file, with the version it is of. A file in another encoding is read as the service has decoded it. */
export async function loadContent(id: string, signal: AbortSignal): Promise<EditedText> {
  const { version } = await reply(
    api.GET('/v1/objects/{object_id}', { params: { path: { object_id: id } }, signal }),
  );
  const bytes = await readContent({ id, version }, signal);
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), version };
  } catch {
    // Not UTF-8: the service knows the encoding.
    const read = await readText(id, signal);
    return { text: read === 'none' ? '' : read.text, version };
  }
}

/** Saves a text over the version it was made from. Fails with `version_conflict` if there is a newer one. */
export const saveContent = (id: string, { text, version }: EditedText): Promise<DocumentDetail> =>
  reply(
    api.PUT('/v1/objects/{object_id}/content', {
      params: { path: { object_id: id } },
      body: { content: text, base_version: version },
    }),
  );
