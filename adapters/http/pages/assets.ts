import { createHash } from 'node:crypto';
import type { StaticText } from '../server.ts';
import { SHARE_SCRIPT } from './share-script.ts';
import { SHARE_STYLE } from './share-style.ts';

/** Another content has another address: what a browser has once it need not ask for again. */
const pathOf = (name: string, content: string): string =>
  `/v1/public/assets/${name}-${createHash('sha256').update(content).digest('hex').slice(0, 16)}`;

export const STYLE_PATH = `${pathOf('share', SHARE_STYLE)}.css`;
export const SCRIPT_PATH = `${pathOf('share', SHARE_SCRIPT)}.js`;

const kept = { policy: "default-src 'none'; frame-ancestors 'none'", lasting: true } as const;

/** What the pages load, for everybody. */
export const assets: Readonly<Record<string, StaticText>> = {
  [STYLE_PATH]: { type: 'css', text: () => SHARE_STYLE, ...kept },
  [SCRIPT_PATH]: { type: 'js', text: () => SHARE_SCRIPT, ...kept },
};
