/** Packages that bring no types: the parts that are used. */
declare module 'proxy-addr' {
  import type { IncomingMessage } from 'node:http';
  export default function proxyaddr(
    request: IncomingMessage,
    trust: (address: string, hop: number) => boolean,
  ): string | undefined;
}
declare module 'accepts' {
  import type { IncomingMessage } from 'node:http';
  export default function accepts(request: IncomingMessage): {
    types(types: readonly string[]): string | false;
    encodings(encodings: readonly string[]): string | false;
    languages(languages: readonly string[]): string | false;
  };
}
declare module 'mime-types' {
  export function contentType(type: string): string | false;
}
