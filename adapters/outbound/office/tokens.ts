import type { Claims } from '../../../ports/office.ts';

const ALGORITHM = 'HS256';
/** By how much the clock of the engine may be ahead of ours. */
const AHEAD_S = 60;
/** Of a token without an end of its own: the engine sends what it signs at once. */
const OLDEST_S = 3_600;

/** The tokens that the engine and this service tell each other by (RFC 7519, HMAC with SHA-256 and nothing else). */
export interface EngineTokens {
  sign(claims: Claims, seconds: number): Promise<string>;
  verify(token: string): Promise<Claims | undefined>;
}

export function engineTokens(secret: string, now: () => number = Date.now): EngineTokens {
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

/** The engine may be set up to send no end, or no times at all: what is there has to hold. */
function isTimely({ iat, exp }: { readonly iat?: number; readonly exp?: number }, now: number) {
  if (iat === undefined) return true;
  return iat <= now + AHEAD_S && (exp !== undefined || iat > now - OLDEST_S);
}
