import { fileURLToPath } from 'node:url';
import { SandboxedProcess, type ProcessLimits } from '../process/sandboxed-process.ts';
import { parsePlaces, type PlacesJob, type PlacesResult } from './places-protocol.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Locates the words of PDF pages. */
export class PlacesProcess extends SandboxedProcess<PlacesJob, PlacesResult> {
  constructor(limits: ProcessLimits) {
    super(
      {
        entry: here(import.meta.url.endsWith('.ts') ? './places-child.ts' : './places-child.js'),
        code: [here('..')],
        packages: ['unpdf'],
        parse: parsePlaces,
      },
      limits,
    );
  }
}
