import { createHash } from 'node:crypto';

/** A UUID version 7 (RFC 9562) with this time and a digest of the key, so that addresses in the demo never change. */
export function demoId(key: string, created: string): string {
  const time = Date.parse(created).toString(16).padStart(12, '0');
  const rest = createHash('sha256').update(key).digest('hex');
  return [
    time.slice(0, 8),
    time.slice(8),
    `7${rest.slice(0, 3)}`,
    `8${rest.slice(3, 6)}`,
    rest.slice(6, 18),
  ].join('-');
}

/** Of the themes and folders. */
export const FOLDERS_CREATED = '2024-03-01T09:00:00.000Z';

/** The id that a theme has in every demo workspace. */
export const themeId = (name: string): string => demoId(`theme ${name}`, FOLDERS_CREATED);

/** The id that a folder has in every demo workspace. */
export const folderId = (name: string): string => demoId(`folder ${name}`, FOLDERS_CREATED);
