/** The public address of the service, if the configuration defines more than the request shows. */
export interface BaseUrl {
  /** The path prefix of a reverse proxy, without a trailing slash. */
  readonly prefix: string;
  /** `host:port`, if it is configured. */
  readonly host: string | undefined;
  readonly secure: boolean;
}

/** Parses `PUBLIC_URL`, which may be empty. */
export function parseBaseUrl(publicUrl: string): BaseUrl {
  if (publicUrl === '') return { prefix: '', host: undefined, secure: false };
  const { pathname, host, protocol } = new URL(publicUrl);
  return { prefix: pathname.replace(/\/+$/, ''), host, secure: protocol === 'https:' };
}

/** The path of a share or of a file in it, without a host. */
export const shareAddress = ({ prefix }: BaseUrl, token: string, beneath = ''): string =>
  `${prefix}/v1/public/shares/${encodeURIComponent(token)}${beneath}`;
