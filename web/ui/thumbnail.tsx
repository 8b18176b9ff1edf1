import { useEffect, useState } from 'preact/hooks';
import { api } from '../api/client.ts';
import { SERVICE } from '../app/address.ts';
import type { ObjectItem } from '../data/object-list.ts';
import { drawingOf } from './drawing-of.ts';
import { PageDrawing } from './page-drawing.tsx';

/** Scrolling passes over rows without loading their pictures. */
const REST_MS = 160;

type Item = Pick<ObjectItem, 'id' | 'kind' | 'doc_type' | 'status' | 'version' | 'is_hidden'>;

/** Kinds of which the service has pictures. */
const hasPicture = ({ kind, status }: Item): boolean =>
  (kind === 'pdf' || kind === 'image') && status === 'ready';

/**
 * The first page of a document, or a drawing of its type. A hidden document's picture is loaded with the unlock token into
 * the memory of the tab, and has no address of its own.
 */
export function Thumbnail({ item, size }: { item: Item; size: 64 | 128 | 512 }) {
  const [address, setAddress] = useState<string>();
  const [isLoaded, setLoaded] = useState(false);
  const key = hasPicture(item) ? `${item.id} ${item.version} ${item.is_hidden} ${size}` : '';
  useEffect(() => {
    if (!key) return;
    const controller = new AbortController();
    let blob: string | undefined;
    const timer = setTimeout(() => {
      if (!item.is_hidden) {
        setAddress(`${SERVICE}/v1/objects/${item.id}/thumbnail?size=${size}&v=${item.version}`);
        return;
      }
      void readPicture(item.id, size, controller.signal).then((picture) => {
        if (!picture || controller.signal.aborted) return;
        setAddress((blob = URL.createObjectURL(picture)));
      });
    }, REST_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
      if (blob) URL.revokeObjectURL(blob);
      setAddress(undefined);
      setLoaded(false);
    };
  }, [key]);
  return (
    <>
      {!isLoaded && <PageDrawing name={drawingOf(item)} />}
      {address && (
        <img
          class="thumb picture"
          src={address}
          alt=""
          decoding="async"
          draggable={false}
          hidden={!isLoaded}
          onLoad={() => setLoaded(true)}
          onError={() => setAddress(undefined)}
        />
      )}
    </>
  );
}

async function readPicture(
  id: string,
  size: number,
  signal: AbortSignal,
): Promise<Blob | undefined> {
  try {
    const { data } = await api.GET('/v1/objects/{object_id}/thumbnail', {
      params: { path: { object_id: id }, query: { size } },
      parseAs: 'blob',
      signal,
    });
    return data;
  } catch {
    // Without a picture the drawing stays; the row itself says when the service can not be reached.
    return undefined;
  }
}
