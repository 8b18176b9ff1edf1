import { createHash } from 'node:crypto';
import type { Edit, SurvivingObject, WorkspaceSurvey } from './write-log.ts';

const AT_ONCE = 4;
const PATIENCE_MS = 30_000;
const NOTHING: readonly Uint8Array[] = [];

interface Card {
  readonly id: string;
  readonly status: string;
  readonly version: number;
}

/** Reads all data of an owner through the API. */
export class WorkspaceReader {
  readonly #base: () => string;
  readonly #token: string;

  constructor(base: () => string, token: string) {
    this.#base = base;
    this.#token = token;
  }

  /** State of the writes so far, without their bytes. Rejects while the service is unavailable. */
  async state(
    edits: readonly Edit[],
  ): Promise<{ cards: readonly Card[]; ended: Map<string, string> }> {
    const cards: Card[] = [];
    for (let cursor = ''; ;) {
      const page = await this.#json<{ items: Card[]; next_cursor: string | null }>(
        `/v1/objects?limit=100${cursor}`,
      );
      cards.push(...page.items);
      if (page.next_cursor === null) break;
      cursor = `&cursor=${page.next_cursor}`;
    }
    const ended = new Map<string, string>();
    for (const { objectId, task } of edits)
      if (task !== null) {
        const path = `/v1/objects/${objectId}/image/status/${task}`;
        ended.set(task, (await this.#json<{ status: string }>(path)).status);
      }
    return { cards, ended };
  }

  /** All data, byte for byte. */
  async survey(edits: readonly Edit[]): Promise<WorkspaceSurvey> {
    const { cards, ended } = await this.state(edits);
    const objects: SurvivingObject[] = [];
    const open = [...cards];
    const read = async () => {
      for (let card = open.pop(); card; card = open.pop())
        objects.push({
          id: card.id,
          status: card.status,
          versions: card.version,
          hash: await this.#hashOf(card),
        });
    };
    await Promise.all(Array.from({ length: AT_ONCE }, read));
    return { objects, edits: ended, told: await this.#told() };
  }

  async #told(): Promise<WorkspaceSurvey['told']> {
    const told: { objectId: string; task: string }[] = [];
    for (let offset = 0; ; offset += 200) {
      const { items } = await this.#json<{
        items: { kind: string; payload: { object_id: string; task_id: string } }[];
      }>(`/v1/notifications?limit=200&offset=${offset}`);
      for (const { kind, payload } of items)
        if (kind === 'image.done')
          told.push({ objectId: payload.object_id, task: payload.task_id });
      if (items.length < 200) return told;
    }
  }

  async #hashOf({ id, version }: Card): Promise<string | null> {
    const response = await this.#get(`/v1/objects/${id}/content${version > 1 ? '?version=1' : ''}`);
    if (response.status !== 200) return null;
    const hash = createHash('sha256');
    try {
      for await (const chunk of response.body ?? NOTHING) hash.update(chunk as Uint8Array);
    } catch {
      // Truncated: shorter than declared.
      return null;
    }
    return hash.digest('hex');
  }

  async #json<T>(path: string): Promise<T> {
    const response = await this.#get(path);
    if (response.status !== 200)
      throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  }

  #get(path: string): Promise<Response> {
    return fetch(this.#base() + path, {
      headers: { authorization: `Bearer ${this.#token}` },
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
  }
}
