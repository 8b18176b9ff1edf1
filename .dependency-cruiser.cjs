'use strict';

const PRODUCT = '^(ports|core|adapters|composition)/';
/** Where a process begins: the command line, and what it starts by the path of its file. */
const ENTRIES = [
  '^composition/(cli|reference)\\.ts$',
  '^adapters/extract/(process/reader-child|pictures/(editing|picture|raster)-child|ocr/ocr-child|places/places-child)\\.ts$',
];

const rule = (name, comment, from, to) => ({ name, severity: 'error', comment, from, to });

/** The direction of every arrow: core → ports ← adapters; composition alone sees all of it. */
module.exports = {
  forbidden: [
    rule(
      'ports-stand-alone',
      'A port mentions nothing but other ports.',
      { path: '^ports/' },
      { pathNot: '^ports/' },
    ),
    rule(
      'core-sees-ports',
      'The core imports no package, no module of a platform and no adapter.',
      { path: '^core/', pathNot: '^core/text/' },
      { pathNot: '^(core|ports)/' },
    ),
    rule(
      'analyser-sees-stemmers',
      'One pure package for one module of the core (docs/adr/0007-use-one-text-analyser-in-the-core-for-all-databases.md).',
      { path: '^core/text/' },
      { pathNot: ['^(core|ports)/', '^node_modules/snowball-stemmers/'] },
    ),
    rule(
      'driven-adapters-never-see-core',
      'Who is driven answers to a port; only the HTTP edge calls the core.',
      { path: '^adapters/', pathNot: '^adapters/http/' },
      { path: '^core/' },
    ),
    rule(
      'adapters-are-strangers',
      'No adapter imports another.',
      { path: '^adapters/([^/]+)/' },
      { path: '^adapters/', pathNot: '^adapters/$1/' },
    ),
    rule(
      'composition-sees-all-unseen',
      'Nothing that is composed knows how.',
      { path: '^(ports|core|adapters)/' },
      { path: '^composition/' },
    ),
    rule(
      'inversify-stays-in-composition',
      'The container is a detail of the wiring.',
      { pathNot: ['^composition/', '^node_modules/'] },
      { path: '(^|/)node_modules/(inversify|@inversifyjs|reflect-metadata)(/|$)' },
    ),
    rule(
      'modules-meet-at-the-index',
      'A module of the core shows the others its index and nothing else.',
      { path: '^core/([^/]+)/' },
      { path: '^core/(?!shared/)[^/]+/', pathNot: ['^core/$1/', '/index\\.ts$'] },
    ),
    rule(
      'core-is-entered-at-an-index',
      'The edge and the wiring use what a module shows.',
      { path: '^(adapters|composition)/' },
      { path: '^core/(?!shared/)[^/]+/', pathNot: '/index\\.ts$' },
    ),
    rule(
      'app-knows-the-interface-only',
      'The app is a program of its own: it calls the public interface, and shares no code with the service.',
      { path: '^web/' },
      {
        pathNot: [
          '^web/',
          '^node_modules/(@noble/hashes|preact|preact-iso|@preact/signals|@preact/signals-core|openapi-fetch|openapi-typescript-helpers|pdfjs-dist|qr|tus-js-client|@simplewebauthn/browser)/',
        ],
      },
    ),
    rule(
      'service-without-the-app',
      'The service sends the files of the app and knows nothing of its code.',
      { path: '^(ports|core|adapters|composition)/' },
      { path: '^web/' },
    ),
    rule(
      'product-without-its-tests',
      'What is served never imports what tests, measures or builds it.',
      { path: PRODUCT },
      { path: '^(contract-tests|bench|drill|scripts)/' },
    ),
    rule(
      'product-without-dev-packages',
      'A package that is not installed with the product can not be part of it.',
      { path: PRODUCT },
      { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], pathNot: '/@types/' },
    ),
    rule(
      'no-cycles',
      'Of two files that need each other, neither can be understood alone.',
      {},
      { circular: true },
    ),
    rule(
      'no-orphans',
      'A file that nothing imports and that imports nothing is left over.',
      // The watcher of a bench, workers of the app, and the fixtures of the runner are started by their paths.
      {
        orphan: true,
        pathNot: [
          '\\.d\\.ts$',
          '\\.fixture\\.ts$',
          '^bench/watch-health\\.ts$',
          '^web/(service-worker|hash-worker|office)/',
          ...ENTRIES,
        ],
      },
      {},
    ),
    rule(
      'no-dead-files',
      'Every file of the product is needed by a process that it starts.',
      { path: ENTRIES },
      {
        path: PRODUCT, // The fakes of unit tests: every profile does for real what they imagine.
        pathNot: [
          '\\.d\\.ts$',
          '^adapters/memory/(buckets|extractor|image-editor|inbox|language-model|messenger|page-fetcher|time-zones)\\.ts$',
          ...ENTRIES,
        ],
        reachable: false,
      },
    ),
    rule(
      'no-dead-files-of-the-app',
      'Every file of the app is loaded by its first one.',
      { path: '^web/main\\.tsx$' },
      {
        path: '^web/',
        pathNot: ['\\.d\\.ts$', '^web/(service-worker|hash-worker|office)/'],
        reachable: false,
      },
    ),
    rule('nothing-unresolved', 'Every import leads somewhere.', {}, { couldNotResolve: true }),
  ],
  options: {
    // Imports of types are arrows too.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.d.ts', '.mjs', '.cjs', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['node', 'import', 'require', 'default', 'types'],
    },
  },
};
