import js from '@eslint/js';
import ts from 'typescript-eslint';
import { noPlainLookup } from './scripts/lint/no-plain-lookup.js';

const NODE = [
  'process',
  'console',
  'Buffer',
  'setTimeout',
  'setInterval',
  'clearInterval',
  'setImmediate',
];
/** Globals of the platform that are not part of the language. The core uses the language only. */
const PLATFORM = [
  ...NODE,
  ...[
    'clearTimeout',
    'queueMicrotask',
    'structuredClone',
    'performance',
    'crypto',
    'global',
    'window',
  ],
  ...[
    'fetch',
    'Request',
    'Response',
    'Headers',
    'FormData',
    'Blob',
    'File',
    'URL',
    'URLSearchParams',
  ],
  ...[
    'TextEncoder',
    'TextDecoder',
    'atob',
    'btoa',
    'AbortController',
    'AbortSignal',
    'ReadableStream',
  ],
];

const TIME = 'Time is a port: ask the Clock.';
const CHANCE = 'Chance is a port: ask the Entropy.';

const MAX_FILE_LINES = 400;
const MAX_FUNCTION_LINES = 120;

export default ts.config(
  {
    ignores: [
      'node_modules/',
      'dist/',
      '.dist-*/',
      '.runtime/',
      '.runtime-*/',
      'data/',
      'coverage/',
      'screenshots/',
      'web/api/schema.d.ts',
    ],
  },
  js.configs.recommended,
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    rules: {
      eqeqeq: 'error',
      'object-shorthand': 'error',
      'no-irregular-whitespace': ['error', { skipRegExps: true, skipTemplates: true }],
    },
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [ts.configs.recommendedTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      'no-console': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      // Numbers are readable in templates. A method of a port is async even if its implementation does not wait.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/require-await': 'off',
    },
  },
  {
    files: ['core/**/*.ts', 'ports/**/*.ts'],
    rules: {
      'no-restricted-globals': ['error', ...PLATFORM],
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', message: TIME },
        { object: 'Math', property: 'random', message: CHANCE },
      ],
      'no-restricted-syntax': [
        'error',
        { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: TIME },
        { selector: "CallExpression[callee.name='Date']", message: TIME },
        {
          selector: "MemberExpression[object.name='globalThis']",
          message: 'The core has no platform.',
        },
      ],
    },
  },
  {
    // V8 creates a hidden class for each evaluation of a literal with an accessor, in the old generation. It references
    // the closure, so each request stays alive until the next full garbage collection.
    files: ['adapters/**/*.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: ":function Property[kind='get']",
          message:
            'An accessor in a literal keeps alive what it closes over: use a function or a class.',
        },
      ],
    },
  },
  {
    // A name from outside must not select an inherited property: `constructor`, `__proto__`.
    files: ['{core,ports,adapters,composition,scripts,web}/**/*.{ts,tsx}'],
    plugins: { local: { rules: { 'no-plain-lookup': noPlainLookup } } },
    rules: { 'local/no-plain-lookup': 'error' },
  },
  {
    // What does not fit on a few screens has more than one duty.
    files: ['{ports,core,adapters,composition,scripts,bench,drill,web}/**/*.{ts,tsx,js,mjs,cjs}'],
    rules: {
      'max-lines': ['error', MAX_FILE_LINES],
      'max-lines-per-function': ['error', MAX_FUNCTION_LINES],
    },
  },
  {
    // Markup is made of elements, never of text: what a document contains can not become part of the page.
    files: ['web/**/*.{ts,tsx}'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']",
          message: 'Render elements instead of markup.',
        },
        {
          selector: "JSXAttribute[name.name='style'][value.type='Literal']",
          message: 'The policy of the app has no inline styles.',
        },
        {
          selector:
            'MemberExpression[property.name=/^(innerHTML|outerHTML|insertAdjacentHTML|srcdoc)$/]',
          message: 'Render elements instead of markup.',
        },
      ],
      // An event handler of an element may be async: its failure is handled inside.
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
    },
  },
  {
    files: ['composition/**/*.ts', 'scripts/**/*.ts', 'bench/**/*.ts', 'drill/**/*.ts'],
    rules: { 'no-console': 'off' },
  },
  {
    // Tests use external interfaces: data from the network has no type before an assertion.
    files: ['contract-tests/**/*.ts', 'bench/**/*.ts'],
    rules: {
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unused-expressions': 'off',
    },
  },
  {
    files: ['**/*.js', '**/*.mjs', '**/*.cjs'],
    languageOptions: { globals: Object.fromEntries(NODE.map((name) => [name, 'readonly'])) },
  },
  {
    files: ['**/*.cjs'],
    languageOptions: { sourceType: 'commonjs' },
  },
);
