import { fileURLToPath } from 'node:url';

/** The files of the owner's app, as the build leaves them beside the compiled program. */
export const WEB_FOLDER = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../dist/web' : '../web', import.meta.url),
);
