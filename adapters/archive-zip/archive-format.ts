import type { ArchiveFormat } from '../../ports/archives.ts';
import { openZip } from './reader.ts';
import { writeZip } from './writer.ts';

/** ZIP with ZIP64, as every desktop opens it. */
export const zipArchives = (): ArchiveFormat => ({ write: writeZip, open: openZip });
