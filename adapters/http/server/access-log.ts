import type { IncomingMessage, ServerResponse } from 'node:http';
import { stampRequestId } from '../request/request-id.ts';

/** One line of the access log: what was asked and how it ended. Never a header, a query or a body. */
export interface AccessEntry {
  readonly requestId: string;
  readonly method: string;
  /** The route's pattern, not the address, which may hold a secret. */
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  readonly ownerId?: string;
}

/** What an answer shows as long as nothing says otherwise: nothing is to be rendered. */
export const NO_RENDERING = "default-src 'none'; frame-ancestors 'none'";

/** Browser features that the service's pages do not use and deny to embedded content. */
const UNUSED_FEATURES = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'hid',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'serial',
  'usb',
  'xr-spatial-tracking',
];

/** The headers of every answer. Contents and pages replace them with policies of their own. */
export const COMMON_HEADERS: readonly (readonly [name: string, value: string])[] = [
  ['X-Content-Type-Options', 'nosniff'],
  ['Content-Security-Policy', NO_RENDERING],
  // An owner's data must not be stored in any cache, not even the browser's.
  ['Cache-Control', 'private, no-store'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  // Holds for embedding only: pages of CORS_ORIGINS call the interface in the mode that CORS governs (Fetch standard).
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Permissions-Policy', UNUSED_FEATURES.map((feature) => `${feature}=()`).join(', ')],
];

const HSTS = 'max-age=31536000';

export interface EnvelopeOptions {
  /** `PUBLIC_URL`, or empty. */
  readonly publicUrl: string;
  /** How many reverse proxies stand in front. */
  readonly trustProxy: number;
  stopping(): boolean;
}

/** The headers of every answer. Answers with the id of the request. */
export function stampHeaders(
  options: EnvelopeOptions,
  request: IncomingMessage,
  response: ServerResponse,
): string {
  const requestId = stampRequestId(request, response);
  for (const [name, value] of COMMON_HEADERS) response.setHeader(name, value);
  if (cameByHttps(options, request)) response.setHeader('Strict-Transport-Security', HSTS);
  if (options.stopping()) response.setHeader('Connection', 'close');
  return requestId;
}

/** As a trusted proxy says, else as the public address says; over plain http the header means nothing (RFC 6797 §7.2). */
function cameByHttps({ publicUrl, trustProxy }: EnvelopeOptions, request: IncomingMessage) {
  const forwarded = trustProxy > 0 ? request.headers['x-forwarded-proto'] : undefined;
  if (forwarded !== undefined) return /^\s*https\s*(?:,|$)/i.test(String(forwarded));
  return /^https:/i.test(publicUrl);
}

export const accessEntry = (
  { method = '' }: IncomingMessage,
  status: number,
  told: {
    readonly requestId: string;
    readonly route: string;
    /** When it came, by the clock of the process. */
    readonly from: number;
    readonly ownerId: string | undefined;
  },
): AccessEntry => ({
  requestId: told.requestId,
  method,
  route: told.route,
  status,
  ms: Math.round((performance.now() - told.from) * 10) / 10,
  ...(told.ownerId !== undefined && { ownerId: told.ownerId }),
});
