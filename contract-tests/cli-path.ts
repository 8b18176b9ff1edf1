import { fileURLToPath } from 'node:url';

/**
 * The command line, to be run with `process.execPath`: the sources, or what was compiled of them where the run has
 * seen to it that this is of today. Compiled, every process starts with less work.
 */
export const CLI = fileURLToPath(
  new URL(
    process.env['PROGRAM'] === 'compiled' ? '../dist/composition/cli.js' : '../composition/cli.ts',
    import.meta.url,
  ),
);
