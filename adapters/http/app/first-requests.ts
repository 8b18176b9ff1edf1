import type { IncomingMessage } from 'node:http';
import accepts from 'accepts';

/** What the app requests first. The shell names it in its `Link` header, so that it is sent before a script has run. */
export interface FirstRequests {
  /** Paths of the interface that every address of the app reads. */
  readonly everywhere: readonly string[];
  /** Those that the list of all documents reads as well. */
  readonly library: readonly string[];
  /** Scripts with the texts of a language, below the app's root, by its tag: `de`. */
  readonly languages: Readonly<Record<string, string>>;
}

/** Without filters. The root is left out: the service worker serves that answer for every address. */
const LIBRARY = /^[^?]*\/app\/library\/?$/;

/**
 * The value of the shell's `Link` header (RFC 8288). The modes are those of the app's own requests, which take the
 * answers (HTML Living Standard, "preload"). Where they differ, a request is sent twice, and no more.
 */
export function firstLinks(
  { everywhere, library, languages }: FirstRequests,
  prefix: string,
  request: IncomingMessage,
): string {
  const data = LIBRARY.test(request.url ?? '') ? [...everywhere, ...library] : everywhere;
  const links = data.map((path) => `<${prefix}${path}>; rel=preload; as=fetch; crossorigin`);
  const texts = new Map(Object.entries(languages));
  // The app begins in English where it has none of the browser's languages; so does a request that prefers none.
  const language = accepts(request).languages(['en', ...texts.keys()]);
  const script = texts.get(language === false ? 'en' : language);
  if (script !== undefined) links.push(`<${prefix}/app${script}>; rel=modulepreload`);
  return links.join(', ');
}
