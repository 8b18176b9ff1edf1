import type { Claims, OfficeEngine } from '../../ports/office.ts';
import { forged } from './errors.ts';

/** What came at a callback address. */
export interface SentCallback {
  /** The body, as it is. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The bearer token of the header. */
  readonly bearer?: string;
}

/** What the engine has signed of a document. */
export interface Told {
  readonly key: string;
  readonly status: number;
  /** Where the saved file lies. */
  readonly url: string | undefined;
  /** The token that says so. */
  readonly proof: string;
}

const FIELDS = ['key', 'status', 'url'] as const;
/** Three parts of base64url with dots in between (RFC 7515 §7.1). Whatever else is sent as a bearer is not the engine's. */
const TOKEN = /^[\w-]+\.[\w-]*\.[\w-]*$/;

/**
 * Believes what is signed and nothing else. Engines sign the body inside it, or in the header under `payload`, or both:
 * whatever is there has to hold, and to say the same as the rest.
 */
export async function toldBy(
  engine: Pick<OfficeEngine, 'verify'>,
  { body, bearer }: SentCallback,
): Promise<Told> {
  const token = sentIn(body, 'token');
  if (token !== undefined && typeof token !== 'string') throw forged();
  const proofs = [
    ...(token === undefined ? [] : [token]),
    ...(bearer !== undefined && TOKEN.test(bearer) ? [bearer] : []),
  ];
  const [proof] = proofs;
  if (proof === undefined) throw forged();
  const said = await Promise.all(proofs.map((each) => claimsOf(engine, each)));
  const [first = {}] = said;
  for (const field of FIELDS) {
    if (said.some((claims) => sentIn(claims, field) !== sentIn(first, field))) throw forged();
    const open = sentIn(body, field);
    if (open !== undefined && open !== first[field]) throw forged();
  }
  const { key, status } = first;
  const url = sentIn(first, 'url');
  if (typeof key !== 'string' || typeof status !== 'number') throw forged();
  if (url !== undefined && typeof url !== 'string') throw forged();
  return { key, status, url, proof };
}

/** What is null counts as not sent. */
const sentIn = (fields: Readonly<Record<string, unknown>>, name: string): unknown =>
  (Object.hasOwn(fields, name) ? fields[name] : undefined) ?? undefined;

async function claimsOf(engine: Pick<OfficeEngine, 'verify'>, token: string): Promise<Claims> {
  const claims = await engine.verify(token);
  if (!claims) throw forged();
  const { payload } = claims;
  return typeof payload === 'object' && payload !== null ? (payload as Claims) : claims;
}
