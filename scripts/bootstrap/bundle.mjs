// Bundles the modules of the serving process into few files: locating two thousand modules took most of a start. Called
// by the build with the folder of the compiled program, which it changes in place.
import { readFileSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { build } from 'esbuild';
import { writeLicences } from './licences.mjs';

const FOLDER = 'composition';
/** They load native code, workers, scripts or data relative to their own location, so they are not bundled. */
const EXTERNAL_PACKAGES = [
  '@node-rs/argon2',
  'bee-queue',
  'better-sqlite3',
  'iconv-lite',
  'pg',
  'sharp',
  'tesseract.js-core',
  '@hyzyla/pdfium',
];
/** Drivers of databases that the query builder would load; none of them is installed. */
const UNUSED_DRIVERS = [
  'mariadb',
  'mysql',
  'mysql2',
  'oracledb',
  'pg-native',
  'pg-query-stream',
  'sqlite3',
  'tedious',
];
/** CommonJS packages import other packages by `require`, which ES modules lack. */
const BANNER = `import { createRequire as ownRequire } from 'node:module'; const require = ownRequire(import.meta.url);`;

const [place] = process.argv.slice(2);
const entry = join(place, FOLDER, 'cli.js');

const { metafile } = await build({
  entryPoints: [entry],
  absWorkingDir: place,
  outdir: place,
  outbase: place,
  chunkNames: `${FOLDER}/[name]-[hash]`,
  allowOverwrite: true,
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node22.19',
  // Names are not shortened, so that a stack can be read.
  minifyWhitespace: true,
  legalComments: 'none',
  sourcemap: true,
  sourcesContent: false,
  external: [...EXTERNAL_PACKAGES, ...UNUSED_DRIVERS].flatMap((name) => [name, `${name}/*`]),
  banner: { js: BANNER },
  metafile: true,
  logLevel: 'error',
  plugins: [{ name: 'places', setup: preserveLocations }],
});
for (const { entryPoint = '', exports } of Object.values(metafile.outputs))
  if (entryPoint.includes('node_modules') && exports.join() === 'default')
    throw new Error(
      `${entryPoint} loses its names when it is imported later: import a module of ours that has it.`,
    );
for (const name of readdirSync(join(place, FOLDER)))
  if (!(`${FOLDER}/${name}` in metafile.outputs)) rmSync(join(place, FOLDER, name));
writeLicences(join(place, 'LICENSES.txt'), place, [metafile]);

/** A file of the project that looks up another beside it uses its original location. */
function preserveLocations({ onLoad }) {
  onLoad({ filter: /\.js$/ }, ({ path }) => {
    if (!path.startsWith(place + sep) || dirname(path) === join(place, FOLDER)) return undefined;
    const from = relative(join(place, FOLDER), path).split(sep).join('/');
    const contents = readFileSync(path, 'utf8').replaceAll(
      /\bimport\.meta\.url\b/g,
      `new URL(${JSON.stringify(from)}, import.meta.url).href`,
    );
    return { contents, resolveDir: dirname(path), loader: 'js' };
  });
}
