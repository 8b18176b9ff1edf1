import type { Claims, OfficeEngine } from '../../ports/office.ts';
import { invalidSignature } from './errors.ts';

/** A request to the callback URL. */
export interface SentCallback {
  /** The parsed body. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The bearer token of the header. */
  readonly bearer?: string;
}

/** The signed claims about a document. */
export interface VerifiedCallback {
  readonly key: string;
  readonly status: number;
  /** The download URL of the saved file. */
  readonly url: string | undefined;
  /** The token that contains the claims. */
  readonly proof: string;
}

const FIELDS = ['key', 'status', 'url'] as const;
/**
 * Three base64url parts separated by dots (RFC 7515 §7.1). Any other bearer token is not from the document server.
 */
const TOKEN = /^[\w-]+\.[\w-]*\.[\w-]*$/;

/**
 * Trusts signed claims only. Servers sign the body inside it, in the header under `payload`, or both: all tokens
 * present must be valid and agree with the body.
 */
export async function verifyCallback(
  engine: Pick<OfficeEngine, 'verify'>,
  { body, bearer }: SentCallback,
): Promise<VerifiedCallback> {
  const token = sentIn(body, 'token');
  if (token !== undefined && typeof token !== 'string') throw invalidSignature();
  const proofs = [
    ...(token === undefined ? [] : [token]),
    ...(bearer !== undefined && TOKEN.test(bearer) ? [bearer] : []),
  ];
  const [proof] = proofs;
  if (proof === undefined) throw invalidSignature();
  const said = await Promise.all(proofs.map((each) => claimsOf(engine, each)));
  const [first = {}] = said;
  for (const field of FIELDS) {
    if (said.some((claims) => sentIn(claims, field) !== sentIn(first, field)))
      throw invalidSignature();
    const open = sentIn(body, field);
    if (open !== undefined && open !== first[field]) throw invalidSignature();
  }
  const { key, status } = first;
  const url = sentIn(first, 'url');
  if (typeof key !== 'string' || typeof status !== 'number') throw invalidSignature();
  if (url !== undefined && typeof url !== 'string') throw invalidSignature();
  return { key, status, url, proof };
}

/** null counts as absent. */
const sentIn = (fields: Readonly<Record<string, unknown>>, name: string): unknown =>
  (Object.hasOwn(fields, name) ? fields[name] : undefined) ?? undefined;

async function claimsOf(engine: Pick<OfficeEngine, 'verify'>, token: string): Promise<Claims> {
  const claims = await engine.verify(token);
  if (!claims) throw invalidSignature();
  const { payload } = claims;
  return typeof payload === 'object' && payload !== null ? (payload as Claims) : claims;
}
