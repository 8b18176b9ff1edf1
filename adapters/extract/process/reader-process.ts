import { fileURLToPath } from 'node:url';
import { SandboxedProcess, type ExitReason, type ProcessLimits } from './sandboxed-process.ts';
import { parseResult, type Job, type TextFacts, type Verdict } from './protocol.ts';

export type { ExitReason } from './sandboxed-process.ts';
export type ReaderLimits = ProcessLimits;

export type Answer = Verdict | (TextFacts & { readonly text: string });

const PACKAGES = [
  'unpdf',
  'mammoth',
  'linkedom',
  '@mozilla/readability',
  'eld/small',
  'saxes',
  '@e965/xlsx',
  'word-extractor',
  'postal-mime',
];
const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
/** `.ts` in a checkout, `.js` in a build. */
const ENTRY = here(import.meta.url.endsWith('.ts') ? './reader-child.ts' : './reader-child.js');

/** A child process that reads one file after another. */
export class ReaderProcess extends SandboxedProcess<Job, Verdict | TextFacts> {
  constructor(limits: ReaderLimits) {
    const program = { entry: ENTRY, code: [here('..')], packages: PACKAGES, parse: parseResult };
    super(program, limits);
  }

  /** The result, or why the process died. An error of `bytes` is rethrown, and the process killed. */
  async read(job: Job, bytes: AsyncIterable<Uint8Array>): Promise<Answer | ExitReason> {
    const done = await this.run(job, bytes);
    if (typeof done === 'string') return done;
    const { result, payload } = done;
    return result.outcome === 'text'
      ? { ...result, text: payload?.toString('utf8') ?? '' }
      : result;
  }
}
