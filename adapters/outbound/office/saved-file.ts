import { fileBytes, type ResponseHead } from './exchange.ts';
import { elsewhere, redirected, rejectedWith } from './failures.ts';
import { savedFileUrls } from './saved-file-urls.ts';

export type ResponseParts = AsyncGenerator<ResponseHead | Uint8Array, void>;

interface OpenResponse {
  readonly url: string;
  readonly head: ResponseHead;
  /** The rest of the response; has to be consumed or returned. */
  readonly parts: ResponseParts;
}

/** Redirects that carry their target in `Location` (RFC 9110 §15.4). */
const REDIRECT_STATUSES: readonly number[] = [301, 302, 303, 307, 308];
const MAX_REDIRECTS = 3;

/**
 * The bytes of a saved file, requested at the document server's configured address only, and never twice at the same
 * URL. A redirect is mapped to that address like the name of the file. Rejects with DownloadError.
 */
export async function* savedFile(
  {
    named,
    engineUrl,
    maxBytes,
  }: Readonly<Record<'named' | 'engineUrl', string>> & {
    readonly maxBytes: number;
  },
  request: (url: string) => ResponseParts,
): AsyncGenerator<Uint8Array> {
  const tried = new Set<string>();
  let urls = savedFileUrls(named, engineUrl);
  if (urls.length === 0) throw elsewhere();
  for (let redirects = 0; ; redirects++) {
    const { url, head, parts } = await firstFound(urls, tried, request);
    if (!REDIRECT_STATUSES.includes(head.status)) {
      yield* fileBytes(head, parts, maxBytes);
      return;
    }
    await parts.return();
    urls = savedFileUrls(head.location, engineUrl, url).filter((each) => !tried.has(each));
    // A redirect to the same path at another address, such as from http to https, leads to nothing new.
    if (urls.length === 0 || redirects === MAX_REDIRECTS) throw redirected(head.status);
  }
}

/** The first response that is not 4xx, or else the failure of the most likely URL. */
async function firstFound(
  urls: readonly string[],
  tried: Set<string>,
  request: (url: string) => ResponseParts,
): Promise<OpenResponse> {
  let rejected: number | undefined;
  for (const url of urls) {
    tried.add(url);
    const parts = request(url);
    const head = await headOf(parts);
    if (head.status < 400 || head.status > 499) return { url, head, parts };
    await parts.return();
    rejected ??= head.status;
  }
  throw rejectedWith(rejected ?? 404);
}

async function headOf(parts: ResponseParts): Promise<ResponseHead> {
  const { value } = await parts.next();
  if (!value || value instanceof Uint8Array) throw new Error('The head of a response comes first.');
  return value;
}
