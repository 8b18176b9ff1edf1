import type { ArchiveFormat } from '../../ports/archives.ts';
import { openZip } from './reader.ts';
import { writeZip } from './writer.ts';

/** ZIP with ZIP64, which every desktop can open. */
export const zipArchives = (): ArchiveFormat => ({ write: writeZip, open: openZip });
