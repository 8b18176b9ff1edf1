/**
 * The Content-Security-Policy of the owner's app. Nothing comes from another origin, no script or style is inline, and
 * every sink of Trusted Types needs the one policy of the app, which names the addresses of its own workers.
 */
export const APP_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "font-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types app',
].join('; ');

/** A worker obeys the policy of its own response. The decoders of JPEG 2000 and JBIG2 are WebAssembly. */
export const PDF_WORKER_POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; frame-ancestors 'none'";

/**
 * The policy of the page that frames the office editor, and of the `data:` document in it, which inherits this policy and
 * has an origin of its own: scripts of the document server run there, without the session and out of reach of the app.
 */
export function officeFramePolicy(serverUrl: string): string {
  const { origin } = new URL(serverUrl);
  return [
    "default-src 'none'",
    `script-src 'self' ${origin}`,
    `frame-src data: ${origin}`,
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
  ].join('; ');
}
