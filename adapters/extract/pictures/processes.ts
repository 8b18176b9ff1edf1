import { fileURLToPath } from 'node:url';
import { SandboxedProcess, type ProcessLimits } from '../process/sandboxed-process.ts';
import { parseEditing, type EditingJob, type EditingResult } from './editing-protocol.ts';
import { parsePicture, type PictureJob, type PictureResult } from './picture-protocol.ts';
import { parseRaster, type RasterJob, type RasterResult } from './raster-protocol.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
/** `.ts` in a checkout, `.js` in a build. */
const program = (name: string): string =>
  here(import.meta.url.endsWith('.ts') ? `./${name}.ts` : `./${name}.js`);

/** Rasterizes pages of PDFs, in WebAssembly. */
export class RasterProcess extends SandboxedProcess<RasterJob, RasterResult> {
  constructor(limits: ProcessLimits) {
    super(
      {
        entry: program('raster-child'),
        code: [here('..')],
        packages: ['@hyzyla/pdfium'],
        parse: parseRaster,
      },
      limits,
    );
  }
}

/** Decodes and encodes images with a native library: a file that crashes it affects this process only. */
export class PictureProcess extends SandboxedProcess<PictureJob, PictureResult> {
  constructor(limits: ProcessLimits) {
    super(
      {
        entry: program('picture-child'),
        code: [here('..')],
        packages: ['sharp'],
        addons: true,
        parse: parsePicture,
      },
      limits,
    );
  }
}

/** Edits images with the same library, at low CPU priority. */
export class EditingProcess extends SandboxedProcess<EditingJob, EditingResult> {
  constructor(limits: ProcessLimits) {
    super(
      {
        entry: program('editing-child'),
        code: [here('..'), here('../../../ports')],
        packages: ['sharp'],
        addons: true,
        givesWay: true,
        sharesFiles: true,
        parse: parseEditing,
      },
      limits,
    );
  }
}
