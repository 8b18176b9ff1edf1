// Bundles the owner's app into the folder of the compiled program. Called by the build with that folder.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'esbuild';
import { writeLicences } from './licences.mjs';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const WEB = join(ROOT, 'web');
const PDFJS = join(ROOT, 'node_modules/pdfjs-dist');
/** Data that the PDF engine loads by name: character maps, fonts, colour profiles, decoders. */
const PDF_FOLDERS = ['cmaps', 'standard_fonts', 'iccs', 'wasm'];
const ICON_SIZES = [180, 192, 512];
const TYPES = {
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.wasm': 'application/wasm',
};
const COMPRESSED = new Set(['.js', '.mjs', '.css', '.svg', '.wasm', '.webmanifest']);
const MIN_COMPRESSED_BYTES = 1_024;
const SCRIPT = /\.(tsx?|m?js)$/;

const place = join(process.argv[2], 'web');
const assets = join(place, 'assets');
mkdirSync(assets, { recursive: true });

const digestOf = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** Files of the build, by their path below the app's root. */
const files = new Map();
function add(path, bytes, more = {}) {
  files.set(path, { path, isImmutable: path.startsWith('/assets/'), bytes, ...more });
  mkdirSync(dirname(join(place, path)), { recursive: true });
  writeFileSync(join(place, path), bytes);
}
/** Adds a file under a name with a digest of its content, and returns its path. */
function addHashed(name, bytes, more) {
  const extension = extname(name);
  const path = `/assets/${name.slice(0, -extension.length)}-${digestOf(bytes).slice(0, 10)}${extension}`;
  add(path, bytes, more);
  return path;
}

const pdfWorker = addHashed(
  'pdf-worker.mjs',
  readFileSync(join(PDFJS, 'build/pdf.worker.min.mjs')),
  {
    isPdfWorker: true,
  },
);
const { outputFiles: hashOutput, metafile: hashMeta } = await bundleWorker('hash-worker');
const hashWorker = addHashed('hash-worker.js', Buffer.from(hashOutput[0].contents));
const pdfData = addPdfData();
const stylePaths = await addScreenStyles();
const icons = await makeIcons();

const bundleOptions = {
  entryPoints: { main: join(WEB, 'main.tsx'), app: join(WEB, 'styles/app.css') },
  absWorkingDir: ROOT,
  outdir: assets,
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  target: ['chrome123', 'firefox128', 'safari17.5'],
  minify: true,
  // Cyrillic and Chinese as they are, not as escapes of six characters.
  charset: 'utf8',
  legalComments: 'none',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  define: {
    PDF_WORKER_PATH: JSON.stringify(pdfWorker),
    HASH_WORKER_PATH: JSON.stringify(hashWorker),
    PDF_DATA_PATH: JSON.stringify(pdfData),
    STYLE_PATHS: JSON.stringify(stylePaths),
    SERVICE_WORKER_PATH: JSON.stringify('/service-worker.js'),
  },
  metafile: true,
  write: false,
  logLevel: 'error',
};
const bundle = await build({
  ...bundleOptions,
  plugins: [joinFirstPage(await lazySources())],
});
for (const { path, contents } of bundle.outputFiles)
  add(`/assets/${relative(assets, path).split(sep).join('/')}`, Buffer.from(contents));

const outputs = Object.entries(bundle.metafile.outputs);
const pathOf = (output) => `/assets/${output.split('/').pop()}`;
const outputOf = (source) => outputs.find(([, { entryPoint }]) => entryPoint === source)[0];
const mainOutput = outputWith('web/main.tsx');
const styleOutput = outputOf('web/styles/app.css');
const initial = staticImportsOf(mainOutput);

addShell();
addFirstRequests();
await addOfficeFrame();
await addServiceWorker();
await compressAll();
const withoutBytes = (key, value) => (key === 'bytes' ? undefined : value);
const list = JSON.stringify([...files.values()], withoutBytes, 1);
writeFileSync(join(place, 'files.json'), `${list}\n`);
writeLicences(
  join(place, 'LICENSES.txt'),
  ROOT,
  [bundle.metafile, hashMeta],
  ['node_modules/pdfjs-dist'],
);

/** The sources that the app imports when they are needed. */
async function lazySources() {
  const { metafile } = await build(bundleOptions);
  return Object.values(metafile.outputs)
    .map(({ entryPoint }) => entryPoint)
    .filter((source) => SCRIPT.test(source ?? '') && source !== 'web/main.tsx')
    .map((source) => join(ROOT, source));
}

/**
 * Modules with the same importing entry points share a chunk. Each lazy module imports the first page as well, which is
 * loaded by then. So the first page becomes one chunk, instead of one for each combination of screens that share a module.
 * The entry point must not await at its top level: a lazy module would wait for it, and it for the lazy module.
 */
function joinFirstPage(sources) {
  const lazy = new Set(sources);
  const first = JSON.stringify(join(WEB, 'main.tsx'));
  return {
    name: 'first-page',
    setup({ onLoad }) {
      onLoad({ filter: SCRIPT }, ({ path }) =>
        lazy.has(path)
          ? {
              contents: `${readFileSync(path, 'utf8')}\nimport ${first};\n`,
              loader: /tsx?$/.exec(path)?.[0] ?? 'js',
            }
          : undefined,
      );
    },
  };
}

/** The chunk with the code of a source. The output of an entry point that others import does nothing but import it. */
function outputWith(source) {
  return outputs.find(([, { inputs }]) => inputs[source]?.bytesInOutput > 0)[0];
}

/** A chunk and the chunks it imports statically: what the first page loads. */
function staticImportsOf(output, found = new Set()) {
  if (found.has(output)) return found;
  found.add(output);
  for (const { path, kind } of bundle.metafile.outputs[output].imports)
    if (kind === 'import-statement') staticImportsOf(path, found);
  return found;
}

function addShell() {
  const preloads = [...initial]
    .filter((output) => output !== mainOutput)
    .map((output) => `<link rel="modulepreload" href="%ROOT%${pathOf(output)}" />`);
  const shell = readFileSync(join(WEB, 'index.html'), 'utf8')
    .replace('%STYLE%', `%ROOT%${pathOf(styleOutput)}`)
    .replace('%SCRIPT%', `%ROOT%${pathOf(mainOutput)}`)
    .replace('%PRELOADS%', preloads.join('\n    '))
    .replace('%TOUCH_ICON%', `%ROOT%${icons[180]}`)
    .replace('%ICON%', `%ROOT%${icons.svg}`);
  writeFileSync(join(place, 'index.html'), shell);
  const manifest = JSON.parse(readFileSync(join(WEB, 'manifest.json'), 'utf8'));
  const sized = (size) => ({ src: `.${icons[size]}`, sizes: `${size}x${size}`, type: 'image/png' });
  manifest.icons = [
    { src: `.${icons.svg}`, sizes: 'any', type: 'image/svg+xml' },
    sized(192),
    sized(512),
    { ...sized(512), purpose: 'maskable' },
  ];
  add('/manifest.webmanifest', Buffer.from(JSON.stringify(manifest)));
}

/** What the app requests first, for the service to name it with the shell. */
function addFirstRequests() {
  const requests = JSON.parse(readFileSync(join(WEB, 'first-requests.json'), 'utf8'));
  const languages = outputs.flatMap(([output, { entryPoint }]) => {
    const [, tag] = /^web\/i18n\/(\w+)\/index\.ts$/.exec(entryPoint ?? '') ?? [];
    return tag === undefined ? [] : [[tag, pathOf(output)]];
  });
  const all = { ...requests, languages: Object.fromEntries(languages) };
  writeFileSync(join(place, 'first-requests.json'), `${JSON.stringify(all, undefined, 1)}\n`);
}

/** The page in which the office editor runs. Its scripts are classic ones: an opaque origin loads no module without CORS. */
async function addOfficeFrame() {
  const scriptOf = async (name, more) => {
    const { outputFiles } = await build({
      entryPoints: [join(WEB, 'office', `${name}.ts`)],
      bundle: true,
      format: 'iife',
      target: ['chrome123', 'firefox128', 'safari17.5'],
      minify: true,
      write: false,
      logLevel: 'error',
    });
    return addHashed(`office-${name}.js`, Buffer.from(outputFiles[0].contents), more);
  };
  const page = readFileSync(join(WEB, 'office/frame.html'), 'utf8')
    .replace('%SCRIPT%', `%ROOT%${await scriptOf('frame')}`)
    .replace('%EDITOR%', `%ROOT%${await scriptOf('editor', { isCrossOrigin: true })}`);
  writeFileSync(join(place, 'office-frame.html'), page);
}

/** The worker has a fixed address. It caches the shell and these files, and nothing else. */
async function addServiceWorker() {
  // Uploads are queued and shown without a network as well.
  const later = outputs
    .filter(([, { entryPoint }]) =>
      /^web\/(i18n\/\w+\/index|uploads\/.*)\.tsx?$/.test(entryPoint ?? ''),
    )
    .flatMap(([output]) => [...staticImportsOf(output)]);
  const shellFiles = [
    ...new Set([...initial, styleOutput, ...later].map(pathOf)),
    hashWorker,
    icons.svg,
  ];
  const version = digestOf(
    JSON.stringify([shellFiles, readFileSync(join(place, 'index.html'), 'utf8')]),
  ).slice(0, 16);
  const { outputFiles } = await bundleWorker('service-worker', {
    SHELL_FILES: JSON.stringify(shellFiles),
    SHELL_VERSION: JSON.stringify(version),
  });
  add('/service-worker.js', Buffer.from(outputFiles[0].contents));
}

/** One file: the policy of the app allows a worker no script from elsewhere. */
function bundleWorker(name, define = {}) {
  return build({
    entryPoints: [join(WEB, name, `${name}.ts`)],
    absWorkingDir: ROOT,
    outdir: assets,
    bundle: true,
    format: 'esm',
    target: ['chrome123', 'firefox128', 'safari17.5'],
    minify: true,
    define,
    metafile: true,
    write: false,
    logLevel: 'error',
  });
}

/** Styles that are loaded with their screen. Returns the paths by the name before `-sheet.css`. */
async function addScreenStyles() {
  const names = readdirSync(join(WEB, 'styles')).filter((name) => name.endsWith('-sheet.css'));
  const { outputFiles } = await build({
    entryPoints: names.map((name) => join(WEB, 'styles', name)),
    outdir: assets,
    bundle: true,
    minify: true,
    target: ['chrome123', 'firefox128', 'safari17.5'],
    write: false,
    logLevel: 'error',
  });
  return Object.fromEntries(
    outputFiles.map(({ path, contents }) => {
      const name = basename(path);
      return [name.replace('-sheet.css', ''), addHashed(name, Buffer.from(contents))];
    }),
  );
}

function addPdfData() {
  const all = PDF_FOLDERS.flatMap((folder) =>
    readdirSync(join(PDFJS, folder))
      .filter((name) => !/licen[cs]e/i.test(name))
      .map((name) => `${folder}/${name}`),
  );
  const digest = digestOf(
    JSON.stringify(all.map((name) => digestOf(readFileSync(join(PDFJS, name))))),
  );
  const base = `/assets/pdf-${digest.slice(0, 10)}`;
  for (const name of all) add(`${base}/${name}`, readFileSync(join(PDFJS, name)));
  return `${base}/`;
}

async function makeIcons() {
  const { default: sharp } = await import('sharp');
  const svg = readFileSync(join(WEB, 'icon.svg'));
  const made = { svg: addHashed('icon.svg', svg) };
  for (const size of ICON_SIZES) {
    const png = await sharp(svg, { density: (72 * size) / 32 })
      .resize(size, size)
      .png()
      .toBuffer();
    made[size] = addHashed(`icon-${size}.png`, png);
  }
  return made;
}

async function compressAll() {
  const brotli = promisify(brotliCompress);
  const gzipped = promisify(gzip);
  await Promise.all(
    [...files.values()].map(async (file) => {
      const { path, bytes } = file;
      const extension = extname(path);
      file.etag = digestOf(bytes).slice(0, 32);
      file.type = TYPES[extension] ?? 'application/octet-stream';
      file.codings = [];
      if (!COMPRESSED.has(extension) || bytes.length < MIN_COMPRESSED_BYTES) return;
      const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
      writeFileSync(join(place, `${path}.br`), await brotli(bytes, { params }));
      writeFileSync(join(place, `${path}.gz`), await gzipped(bytes, { level: 9 }));
      file.codings = ['br', 'gzip'];
    }),
  );
}
