import { api } from '../../../../api/client.ts';
import { reply } from '../../../../api/errors.ts';
import { useResource } from '../../../../data/resource.ts';
import { viewerText } from '../../../../i18n/viewer-text.ts';

/** A version that was stored while the editor is open: its own edits, or what came from elsewhere. */
export function VersionNote({ id, version }: { id: string; version: number }) {
  const { data } = useResource(`versions ${id} ${version}`, (signal) =>
    reply(
      api.GET('/v1/objects/{object_id}/versions', { params: { path: { object_id: id } }, signal }),
    ),
  );
  const newest = data?.items.find((each) => each.version === version);
  if (!newest) return null;
  const { stored, newer } = viewerText();
  return (
    <p class="note page-note" role="status">
      {newest.origin === 'office' ? stored(version) : newer(version)}
    </p>
  );
}
