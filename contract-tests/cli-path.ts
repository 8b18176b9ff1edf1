import { fileURLToPath } from 'node:url';

/**
 * The path of the command line, to be run with `process.execPath`: the sources, or the compiled program if this run has
 * built it. The compiled program starts faster.
 */
export const CLI = fileURLToPath(
  new URL(
    process.env['PROGRAM'] === 'compiled' ? '../dist/composition/cli.js' : '../composition/cli.ts',
    import.meta.url,
  ),
);
