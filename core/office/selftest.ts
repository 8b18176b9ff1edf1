import {
  DownloadError,
  type ConvertedDocument,
  type EngineFetch,
  type EngineResponse,
  type SelfReachability,
} from '../../ports/office.ts';
import type { ConnectionSentence } from '../../ports/reasons.ts';
import type { Sealer } from '../../ports/secrets.ts';
import type { Clock, RandomSource } from '../../ports/runtime.ts';
import type { Coalescer } from '../shared/coalescing.ts';
import type { SelftestFetches } from './selftest-fetches.ts';
import { REACH_MS, type Office, type OfficeDeps } from './office.ts';
import { sealCapability } from './capability-urls.ts';

export interface SelftestDeps extends OfficeDeps {
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly sealer: Sealer;
  readonly coalescer: Coalescer;
  readonly selftestFetches: SelftestFetches;
  readonly selfReachability: SelfReachability;
  readonly publicUrl: () => string;
}

export interface Hop {
  readonly name: 'engine' | 'secret' | 'addresses';
  readonly ok: boolean;
  /** The result of one step, and what to do if it failed. */
  readonly detail: string;
  /** Why it failed, without the advice; '' if it did not. */
  readonly reason: string;
}

export interface Selftest {
  readonly ok: boolean;
  readonly hops: readonly Hop[];
}

const AGREE_MS = 5_000;
/** A conversion takes a moment; with a server that has just started, several seconds. */
const FETCH_MS = 10_000;
const NONCE_BYTES = 16;

/**
 * Tests the path of a document step by step, and reports the first failing step, in less than a minute. Concurrent
 * requests share the next run.
 */
export function officeSelftest(deps: SelftestDeps): Promise<Selftest> {
  return deps.coalescer('office selftest', () => walk(deps));
}

async function walk(deps: SelftestDeps): Promise<Selftest> {
  const { office } = deps;
  const way: readonly (readonly [Hop['name'], (office: Office) => Promise<Advised>])[] = [
    ['engine', reached],
    ['secret', agreed],
    ['addresses', (there) => found(deps, there)],
  ];
  const hops: Hop[] = [];
  for (const [name, step] of way) {
    const before = hops.find(({ ok }) => !ok);
    if (before || !office) {
      const reason = before ? NOT_TRIED : SWITCHED_OFF;
      hops.push({ name, ok: false, detail: reason, reason });
    } else {
      const { answer, advice } = await step(office);
      hops.push(
        answer.ok
          ? { name, ok: true, detail: answer.detail, reason: '' }
          : { name, ok: false, detail: `${answer.reason} ${advice}`, reason: answer.reason },
      );
    }
  }
  return { ok: hops.every(({ ok }) => ok), hops };
}

/** The result of a step, and what to do if it failed. */
interface Advised {
  readonly answer: EngineResponse;
  readonly advice: string;
}

const NOT_TRIED: ConnectionSentence = 'Not tested: an earlier step has failed.';
const SWITCHED_OFF: ConnectionSentence =
  'No document server is connected. Set OFFICE_URL and OFFICE_JWT_SECRET, and OFFICE_ENABLED to true.';

const reached = async ({ engine }: Office): Promise<Advised> =>
  advised(
    await engine.reach(REACH_MS),
    'OFFICE_URL has to be the address of the document server, reachable from this service and from browsers.',
  );

const agreed = async ({ engine }: Office): Promise<Advised> =>
  advised(
    await engine.agree(AGREE_MS),
    'OFFICE_JWT_SECRET has to be the JWT_SECRET of the document server, and JWT has to be enabled there.',
  );

/**
 * Whether the document server fetches a text from a URL of this service, and whether its files can be fetched although
 * it calls itself by another address than OFFICE_URL.
 */
async function found(deps: SelftestDeps, office: Office): Promise<Advised> {
  const { fetched, advised: there } = await fetchedByServer(deps, office);
  if (!there.answer.ok || fetched.converted?.elsewhere === undefined) return there;
  return comparedAddress(office, there.answer.detail, fetched.converted);
}

async function fetchedByServer(
  deps: SelftestDeps,
  { engine }: Office,
): Promise<{ readonly fetched: EngineFetch; readonly advised: Advised }> {
  const nonce = deps.random.secret(NONCE_BYTES);
  const base = deps.publicUrl();
  const until = deps.clock.now() + 2 * FETCH_MS;
  const url = `${base}/v1/public/office/files/${sealCapability(deps, { opens: 'probe', nonce, until })}`;
  deps.selftestFetches.expect(nonce);
  let fetched: EngineFetch;
  let came;
  try {
    fetched = await engine.fetches({ url, key: deps.random.secret(NONCE_BYTES) }, FETCH_MS);
  } finally {
    came = deps.selftestFetches.taken(nonce);
  }
  if (came) {
    const detail = `The document server has fetched a text from ${base}.`;
    return { fetched, advised: advised({ ok: true, detail }, NAMES) };
  }
  if (fetched.result === 'out of reach') {
    const reason: ConnectionSentence = `The document server could not fetch a text from ${base}.`;
    return { fetched, advised: advised({ ok: false, reason }, NAMES) };
  }
  // The fetch reached another process of this service, or the server cannot report it. Then the public URL is checked
  // from here.
  const seen = await deps.selfReachability.answers(base, AGREE_MS);
  const unknown = 'Whether the document server can reach it could not be determined.';
  const answer = seen.ok ? { ok: true as const, detail: `${seen.detail} ${unknown}` } : seen;
  return { fetched, advised: advised(answer, NAMES) };
}

/** A different address is a remark if the converted text can be fetched at OFFICE_URL, and a failure if it cannot. */
async function comparedAddress(
  { engine, serverUrl }: Office,
  detail: string,
  { url, elsewhere }: ConvertedDocument,
): Promise<Advised> {
  const calls =
    elsewhere === ''
      ? 'The document server names its files without an address'
      : `The document server calls itself ${elsewhere}`;
  const bounds = { maxBytes: MAX_CONVERTED_BYTES, idleMs: AGREE_MS, totalMs: AGREE_MS };
  try {
    for await (const bytes of engine.download(url, bounds)) void bytes;
    return advised(
      { ok: true, detail: `${detail} ${calls}. Its files are fetched at ${serverUrl}.` },
      '',
    );
  } catch (error) {
    if (!(error instanceof DownloadError)) throw error;
    // Servers that answer with a path may not store what they convert.
    if (elsewhere === '')
      return advised({ ok: true, detail: `${detail} ${calls}. ${NOT_THERE} ${serverUrl}.` }, '');
    return advised(
      { ok: false, reason: error.message },
      `${calls}. ${NOT_THERE} ${serverUrl}, where edits have to be fetched as well. Let its proxy pass on X-Forwarded-Proto, X-Forwarded-Host and the path.`,
    );
  }
}

const NOT_THERE = 'The converted text cannot be fetched at';
const MAX_CONVERTED_BYTES = 1_000_000;

const NAMES =
  'PUBLIC_URL has to be an address that the document server can resolve and reach. For a private address it needs ALLOW_PRIVATE_IP_ADDRESS=true.';

const advised = (answer: EngineResponse, advice: string): Advised => ({ answer, advice });
