import { createHmac } from 'node:crypto';
import type { KeyFingerprint } from '../../ports/backup.ts';

export function hmacKeyFingerprint(key: string): KeyFingerprint {
  const sign = (text: string) => createHmac('sha256', key).update(text).digest('hex');
  return {
    fingerprint: sign('owner-workspace key fingerprint').slice(0, 32),
    // Domain separation, so that no other use of the key signs the same text.
    sign: (text) => sign(`owner-workspace backup\n${text}`),
  };
}
