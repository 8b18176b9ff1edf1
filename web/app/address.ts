/** Where the app begins: `/app`, or deeper behind a reverse proxy. */
export const ROOT = document.documentElement.dataset['root'] ?? '/app';

/** Where the interface begins. */
export const SERVICE = ROOT.replace(/\/app$/, '');

/** The address of a path of the app: `to('/library')`. */
export const to = (path: string): string => `${ROOT}${path}`;
