import type { CDPSession, Page } from 'playwright-core';

interface Snapshot {
  readonly snapshot: {
    readonly meta: {
      readonly node_fields: readonly string[];
      readonly node_types: readonly [readonly string[], ...unknown[]];
      readonly edge_fields: readonly string[];
      readonly edge_types: readonly [readonly string[], ...unknown[]];
    };
  };
  readonly nodes: readonly number[];
  readonly edges: readonly number[];
  readonly strings: readonly string[];
}

const MAX_PATHS = 5;
const MAX_STEPS = 60;
const PAIR = /-> value \(.* @\d+\) pair in WeakMap \(table @(\d+)\)$/;

async function takeSnapshot(session: CDPSession): Promise<Snapshot> {
  const chunks: string[] = [];
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => chunks.push(chunk));
  await session.send('HeapProfiler.enable');
  // What a finalizer releases is collected by the next one.
  for (let round = 0; round < 3; round++) await session.send('HeapProfiler.collectGarbage');
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  return JSON.parse(chunks.join('')) as Snapshot;
}

/**
 * Strings of the JavaScript heap that contain a text, each with what holds it: the shortest way from the roots. The heap is that
 * of the whole page, with the worlds that the protocol has made, so no selector and no script of a spec may name the text.
 */
export async function heapTraces(page: Page, text: string): Promise<readonly string[]> {
  const session = await page.context().newCDPSession(page);
  try {
    return waysTo(await takeSnapshot(session), text);
  } finally {
    await session.detach();
  }
}

/** What the browser records by itself: of requests while the protocol is attached, and of performance in bounded lists. */
const RECORDED =
  /^(blink::NetworkResourcesData|blink::ScriptTimingInfo|Performance|LayoutShift|TaskAttribution|DOMRectReadOnly|LargestContentful)/;

/** Bytes of the heap: of the page, of compiled code, and of what the browser records by itself. */
export async function heapBytes(
  page: Page,
): Promise<{ page: number; code: number; recorded: number }> {
  const session = await page.context().newCDPSession(page);
  try {
    const { snapshot, nodes, strings } = await takeSnapshot(session);
    const { node_fields: fields, node_types: types } = snapshot.meta;
    const [type, name, size] = ['type', 'name', 'self_size'].map((field) => fields.indexOf(field));
    const kinds = types[0];
    const sums = { page: 0, code: 0, recorded: 0 };
    for (let at = 0; at < nodes.length; at += fields.length) {
      const kind = kinds[nodes[at + (type ?? 0)] ?? 0];
      const title = strings[nodes[at + (name ?? 0)] ?? 0] ?? '';
      const isCode = kind === 'code' || /^\(?system/.test(title);
      const place = isCode ? 'code' : RECORDED.test(title) ? 'recorded' : 'page';
      sums[place] += nodes[at + (size ?? 0)] ?? 0;
    }
    return sums;
  } finally {
    await session.detach();
  }
}

function waysTo({ snapshot: { meta }, nodes, edges, strings }: Snapshot, text: string) {
  const marked = new Set(strings.flatMap((each, at) => (each.includes(text) ? [at] : [])));
  if (marked.size === 0) return [];
  const nodeSize = meta.node_fields.length;
  const edgeSize = meta.edge_fields.length;
  const node = (name: string) => meta.node_fields.indexOf(name);
  const edge = (name: string) => meta.edge_fields.indexOf(name);
  const [type, name, count, id] = [node('type'), node('name'), node('edge_count'), node('id')];
  const [edgeType, edgeName, target] = [edge('type'), edge('name_or_index'), edge('to_node')];
  const nodeTypes = meta.node_types[type] as readonly string[];
  const edgeTypes = meta.edge_types[edgeType] as readonly string[];

  // Breadth first from the root, so that the way to each node is the shortest. Weak references hold nothing.
  const firstEdge: number[] = [];
  for (let at = 0, next = 0; at < nodes.length; at += nodeSize) {
    firstEdge.push(next);
    next += (nodes[at + count] ?? 0) * edgeSize;
  }
  const nameOf = (at: number): string => {
    const kind = edgeTypes[edges[at + edgeType] ?? 0] ?? '';
    const index = edges[at + edgeName] ?? 0;
    return kind === 'element' || kind === 'hidden' ? String(index) : (strings[index] ?? '');
  };
  const before = new Map<number, { readonly from: number; readonly edge: number }>();
  const queue = [0];
  for (const from of queue) {
    const start = firstEdge[from / nodeSize] ?? 0;
    const end = start + (nodes[from + count] ?? 0) * edgeSize;
    for (let at = start; at < end; at += edgeSize) {
      const to = edges[at + target] ?? 0;
      // A weak map holds a value only as long as something else holds its key, from which there is such an edge as well.
      const [, table] = PAIR.exec(nameOf(at)) ?? [];
      if (table !== undefined && Number(table) === nodes[from + id]) continue;
      if (edgeTypes[edges[at + edgeType] ?? 0] === 'weak' || before.has(to) || to === 0) continue;
      before.set(to, { from, edge: at });
      queue.push(to);
    }
  }
  const describe = (at: number) => {
    const kind = nodeTypes[nodes[at + type] ?? 0] ?? '';
    return `${kind} ${(strings[nodes[at + name] ?? 0] ?? '').slice(0, 60)}`;
  };
  const wayTo = (last: number): string => {
    const steps: string[] = [];
    for (let at = last; at !== 0 && steps.length < MAX_STEPS;) {
      const step = before.get(at);
      if (!step) break;
      steps.push(`${describe(step.from)} .${nameOf(step.edge)}`);
      at = step.from;
    }
    return `${describe(last)} <- ${steps.join(' <- ')}`;
  };
  const isText = (at: number) => /string/.test(nodeTypes[nodes[at + type] ?? 0] ?? '');
  return queue
    .filter((at) => isText(at) && marked.has(nodes[at + name] ?? -1))
    .slice(0, MAX_PATHS)
    .map(wayTo);
}
