/** How people reach the service from outside, where that tells more than a request does. */
export interface BaseUrl {
  /** What a reverse proxy puts before every path, without a slash at its end. */
  readonly prefix: string;
  /** `host:port`, where one is set. */
  readonly host: string | undefined;
  readonly secure: boolean;
}

/** Of `PUBLIC_URL`, which may be empty. */
export function parseBaseUrl(publicUrl: string): BaseUrl {
  if (publicUrl === '') return { prefix: '', host: undefined, secure: false };
  const { pathname, host, protocol } = new URL(publicUrl);
  return { prefix: pathname.replace(/\/+$/, ''), host, secure: protocol === 'https:' };
}

/** The address of a share, or of what lies beneath it, without a host. */
export const shareAddress = ({ prefix }: BaseUrl, token: string, beneath = ''): string =>
  `${prefix}/v1/public/shares/${encodeURIComponent(token)}${beneath}`;
