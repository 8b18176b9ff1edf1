import { useEffect, useRef } from 'preact/hooks';
import { api } from '../../api/client.ts';
import { ApiError, reply } from '../../api/errors.ts';
import type { components } from '../../api/schema.js';
import { useResource, type Resource } from '../../data/resource.ts';
import type { DocumentDetail } from './kinds.ts';
import { toUnits } from './text/range.ts';

/** The text of a document, with offsets in UTF-16 units. */
export interface DocumentText {
  readonly text: string;
  readonly version: number;
  readonly source: components['schemas']['ObjectText']['source'];
  readonly language: string;
  /** Numbers of pages by where they begin. */
  readonly pages: ReadonlyMap<number, number>;
}

const POLL_MS = 1_500;

export function useDocument(id: string): Resource<DocumentDetail> {
  const resource = useResource(
    `document ${id}`,
    (signal) =>
      reply(api.GET('/v1/objects/{object_id}', { params: { path: { object_id: id } }, signal })),
    ['objects'],
  );
  const { data, isLoading, reload } = resource;
  const isBeingRead = data?.status === 'pending' || data?.status === 'processing';
  // A request that is under way would be aborted: with a slow service none would ever end.
  useEffect(() => {
    if (!isBeingRead || isLoading) return;
    const timer = setTimeout(reload, POLL_MS);
    return () => clearTimeout(timer);
  }, [isBeingRead, isLoading, reload]);
  return resource;
}

/** The text that was read, `none` while there is none. What was shown stays while it is read anew. */
export function useText(detail: DocumentDetail | undefined): Resource<DocumentText | 'none'> {
  const key = detail
    ? `${detail.id} ${detail.version} ${detail.status} ${detail.updated_at} ${detail.has_corrections}`
    : '';
  const resource = useResource(`text ${key}`, async (signal) => {
    if (!detail) return 'none';
    return readText(detail.id, signal);
  });
  const last = useRef<{ readonly id: string; readonly data: DocumentText | 'none' } | undefined>(
    undefined,
  );
  if (detail && resource.data !== undefined) last.current = { id: detail.id, data: resource.data };
  const { current } = last;
  const data = resource.data ?? (current?.id === detail?.id ? current?.data : undefined);
  return { ...resource, data };
}

export async function readText(id: string, signal: AbortSignal): Promise<DocumentText | 'none'> {
  try {
    const read = await reply(
      api.GET('/v1/objects/{object_id}/text', { params: { path: { object_id: id } }, signal }),
    );
    if (read.text.trim() === '') return 'none';
    return { ...read, pages: pagesOf(read) };
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return 'none';
    throw error;
  }
}

function pagesOf({ text, pages }: components['schemas']['ObjectText']): Map<number, number> {
  const found = new Map<number, number>();
  let [unit, codePoints] = [0, 0];
  for (const { page, char_start: start } of pages) {
    const rest = text.slice(unit);
    unit += toUnits(rest, { start: 0, end: Math.max(0, start - codePoints) }).end;
    codePoints = Math.max(codePoints, start);
    found.set(unit, page);
  }
  return found;
}
