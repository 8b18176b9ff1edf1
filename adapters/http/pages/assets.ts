import { createHash } from 'node:crypto';
import type { StaticFile } from '../response/static-file.ts';
import { SHARE_SCRIPT } from './share-script.ts';
import { SHARE_STYLE } from './share-style.ts';

/** Different content has a different URL, so a browser can cache each URL for good. */
const pathOf = (name: string, content: string): string =>
  `/v1/public/assets/${name}-${createHash('sha256').update(content).digest('hex').slice(0, 16)}`;

/** A folder icon in a colour that is visible on light and dark backgrounds. */
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path fill="#4c8dea" d="M3 8a3 3 0 0 1 3-3h6l4 4h10a3 3 0 0 1 3 3v12a3 3 0 0 1-3 3H6a3 3 0 0 1-3-3z"/></svg>`;

export const ICON_PATH = `${pathOf('icon', ICON)}.svg`;
export const STYLE_PATH = `${pathOf('share', SHARE_STYLE)}.css`;
export const SCRIPT_PATH = `${pathOf('share', SHARE_SCRIPT)}.js`;

const IMMUTABLE = {
  policy: "default-src 'none'; frame-ancestors 'none'",
  immutable: true,
} as const satisfies Partial<StaticFile>;

/** The files that the pages load; the same for all visitors. */
export const assets: Readonly<Record<string, StaticFile>> = {
  [ICON_PATH]: { type: 'svg', text: () => ICON, ...IMMUTABLE },
  [STYLE_PATH]: { type: 'css', text: () => SHARE_STYLE, ...IMMUTABLE },
  [SCRIPT_PATH]: { type: 'js', text: () => SHARE_SCRIPT, ...IMMUTABLE },
};
