import type { Claims } from '../../../ports/office.ts';

const ALGORITHM = 'HS256';
/** Tolerated clock skew of the document server. */
const AHEAD_S = 60;
/** Maximum age of a token without an expiry: the server sends tokens immediately. */
const OLDEST_S = 3_600;

/** Tokens between the document server and this service (RFC 7519, HMAC with SHA-256 only). */
export interface DocumentServerJwt {
  sign(claims: Claims, seconds: number): Promise<string>;
  verify(token: string): Promise<Claims | undefined>;
}

export function engineTokens(secret: string, now: () => number = Date.now): DocumentServerJwt {
  const key = new TextEncoder().encode(secret);
  const seconds = () => Math.floor(now() / 1000);
  return {
    sign: async (claims, lifetime) => {
      const { SignJWT } = await import('jose');
      return new SignJWT({ ...claims })
        .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
        .setIssuedAt(seconds())
        .setExpirationTime(seconds() + lifetime)
        .sign(key);
    },
    verify: async (token) => {
      const { errors, jwtVerify } = await import('jose');
      try {
        const { payload } = await jwtVerify(token, key, {
          algorithms: [ALGORITHM],
          currentDate: new Date(now()),
        });
        return isTimely(payload, seconds()) ? payload : undefined;
      } catch (error) {
        if (error instanceof errors.JOSEError) return undefined;
        throw error;
      }
    },
  };
}

/** The server may be configured to send no expiry, or no times at all: the claims present must be valid. */
function isTimely({ iat, exp }: { readonly iat?: number; readonly exp?: number }, now: number) {
  if (iat === undefined) return true;
  return iat <= now + AHEAD_S && (exp !== undefined || iat > now - OLDEST_S);
}
