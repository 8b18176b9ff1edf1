import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Names of its programs: version 6 installed next to others, and version 7; another program may use the plain names.
 */
const CONVERT = [['convert-im6.q16'], ['convert-im6'], ['magick'], ['convert']];

/** An independent reference for image operations. */
export interface Judge {
  /** The result of its own operations; `args` are command-line arguments. */
  convert(picture: Uint8Array, from: string, args: readonly string[], to: string): Promise<Buffer>;
  /** Distance of two images of the same size: root mean square error, 0 to 1. */
  distance(one: Uint8Array, other: Uint8Array): Promise<number>;
}

const found = CONVERT.find(([program = '']) => {
  const { stdout } = spawnSync(program, ['-version'], { encoding: 'utf8' });
  return (stdout ?? '').includes('ImageMagick');
});

/** ImageMagick, if it is installed. With CI=true it is required. */
export function imageMagick(): Judge | undefined {
  const [program] = found ?? [];
  if (program === undefined) {
    process.stdout.write('left out: pictures as ImageMagick sees them (it is not installed)\n');
    if (process.env['CI'] === 'true')
      throw new Error('ImageMagick may not be left out of this run.');
    return undefined;
  }
  const convert: Judge['convert'] = (picture, from, args, to) =>
    inFolder(async (folder) => {
      const [source, target] = [join(folder, `source.${from}`), join(folder, `target.${to}`)];
      await writeFile(source, picture);
      await run(program, [source, ...args, target]);
      return readFile(target);
    });
  return {
    convert,
    distance: (one, other) =>
      inFolder(async (folder) => {
        const [a, b] = [join(folder, 'a'), join(folder, 'b')];
        await writeFile(a, one);
        await writeFile(b, other);
        const words = [a, b, '-metric', 'RMSE', '-compare', '-format', '%[distortion]', 'info:'];
        const { stdout } = await run(program, words);
        return Number(stdout.trim());
      }),
  };
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'ow-judge-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}
